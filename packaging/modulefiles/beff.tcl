#%Module1.0
# Environment module (Environment Modules, or Lmod reading Tcl) of an unpacked archive. Copy it as beff/0.1.0 below a
# directory of MODULEPATH, and set root to the archive's directory.

set root /opt/beff-0.1.0-linux-amd64

module-whatis "beff rates the communication and the I/O of a parallel machine by one number each"
proc ModulesHelp { } {
	puts stderr "beff run and beff io measure; beff help explains. beff mpi list shows the MPIs that it finds"
}
conflict beff
prepend-path PATH $root/bin
prepend-path MANPATH $root/share/man
# the empty part stands for the system's man pages, which man would not find otherwise
append-path MANPATH ""
# the default of a variable that isn't set
if {![info exists ::env(XDG_DATA_DIRS)]} {
	append-path XDG_DATA_DIRS /usr/local/share:/usr/share
}
prepend-path XDG_DATA_DIRS $root/share
