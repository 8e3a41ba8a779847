# Spack package of beff. Copy packages/beff into a repository of your own (spack repo create), then: spack install beff
from spack_repo.builtin.build_systems.go import GoPackage

from spack.package import *


class Beff(GoPackage):
    """One honest number for the communication of a parallel machine (b_eff), one for its I/O (b_eff_io), and the
    detail behind them."""

    homepage = "https://github.com/effective-bandwidth/beff"
    git = "https://github.com/effective-bandwidth/beff.git"

    license("Apache-2.0")

    version("main", branch="main")

    depends_on("go@1.26:", type="build")
    depends_on("c", type=("build", "run"))
    depends_on("mpi", type=("build", "run"))

    build_directory = "cmd/beff"

    @run_after("install")
    def add_plugin(self):
        """Compile the plug-in of this package's MPI, where the program looks for it."""
        mkdirp(self.prefix.lib.beff)
        Executable(self.prefix.bin.beff)("mpi", "add", "--mpicc", self.spec["mpi"].mpicc)

    @run_after("install")
    def add_completions(self):
        beff = Executable(self.prefix.bin.beff)
        for shell, directory, name in (
            ("bash", bash_completion_path(self.prefix), "beff"),
            ("fish", fish_completion_path(self.prefix), "beff.fish"),
            ("zsh", zsh_completion_path(self.prefix), "_beff"),
        ):
            mkdirp(directory)
            with open(directory / name, "w") as script:
                beff("completion", shell, output=script)

    def test_embedded(self):
        """a quick rating over the embedded engine"""
        beff = Executable(self.prefix.bin.beff)
        out = beff("run", "--engine", "local", "-n", "2", "--quick", output=str.split, error=str.split)
        assert "b_eff = " in out
