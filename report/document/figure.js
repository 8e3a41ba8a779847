// Figures: values where a pointer is, curves that are switched off, a linear axis. It has no dependencies.
"use strict";
(function () {
})();
