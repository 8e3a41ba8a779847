-- Module of an unpacked archive for Lmod. Copy it as beff/0.1.0.lua below a directory of MODULEPATH, and set root to
-- the archive's directory.

local root = "/opt/beff-0.1.0-linux-amd64"

whatis("Name: beff")
whatis("Version: 0.1.0")
whatis("Description: rates the communication and the I/O of a parallel machine by one number each")
whatis("URL: https://github.com/effective-bandwidth/beff")
help([[beff run and beff io measure; beff help explains. beff mpi list shows the MPIs that it finds]])
conflict("beff")
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
-- the empty part stands for the system's man pages, which man would not find otherwise
append_path("MANPATH", "")
-- the default of a variable that isn't set
if not os.getenv("XDG_DATA_DIRS") then
   append_path("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
end
prepend_path("XDG_DATA_DIRS", pathJoin(root, "share"))
