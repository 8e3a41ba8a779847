# Spack package of beff. Copy packages/beff into a repository of your own (spack repo create), then: spack install beff
# It unpacks the archive, needs no compiler, and uses the MPI of the launcher. make dist writes it to dist/recipes with
# the archives' digests.
import platform

from spack_repo.builtin.build_systems.generic import Package

from spack.package import *

_archives = {
    "0.1.0": {
        "x86_64": ("amd64", "@amd64@"),
        "aarch64": ("arm64", "@arm64@"),
    },
}


class Beff(Package):
    """One honest number for the communication of a parallel machine (b_eff), one for its I/O (b_eff_io), and the
    detail behind them."""

    homepage = "https://github.com/effective-bandwidth/beff"

    license("Apache-2.0")

    for _version, _processors in _archives.items():
        if platform.machine() in _processors:
            _name, _digest = _processors[platform.machine()]
            version(
                _version,
                sha256=_digest,
                url=f"{homepage}/releases/download/v{_version}/beff-{_version}-linux-{_name}.tar.gz",
            )

    conflicts("platform=darwin", msg="the archives are for Linux")
    conflicts("platform=windows", msg="the archives are for Linux")

    def install(self, spec, prefix):
        install_tree(".", prefix)

    def test_embedded(self):
        """a quick rating over the embedded engine"""
        beff = Executable(self.prefix.bin.beff)
        out = beff("run", "--engine", "local", "-n", "2", "--quick", output=str.split, error=str.split)
        assert "b_eff = " in out
