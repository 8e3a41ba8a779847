-- Module of an unpacked archive for Lmod. Copy it as beff/0.1.0.lua below a directory of MODULEPATH, and say where the
-- archive is.

local root = "/opt/beff-0.1.0-linux-amd64"

whatis("Name: beff")
whatis("Version: 0.1.0")
whatis("Description: rates the communication and the I/O of a parallel machine by one number each")
whatis("URL: https://github.com/effective-bandwidth/beff")
help([[beff run and beff io measure; beff help explains. beff mpi list shows the MPIs that it finds]])
conflict("beff")
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
-- an empty part stands for the system's pages, without which man would not find them
append_path("MANPATH", "")
-- a variable that isn't set stands for these
if not os.getenv("XDG_DATA_DIRS") then
   append_path("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
end
prepend_path("XDG_DATA_DIRS", pathJoin(root, "share"))
