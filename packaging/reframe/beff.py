# ReFrame tests of beff: reframe -c beff.py -r
# beff must be on the PATH, which finds the programming environment's MPI (beff mpi list). Set the processes by
# -S num_tasks=96 -S num_tasks_per_node=48, further flags by -S flags=--memory,2GiB, and references in a copy. With
# -S sheet=$PWD/tonight.toml, which beff accept --baseline makes from results, a test fails if a figure is worse.
import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ
from reframe.core.builtins import performance_function, run_before, sanity_function, variable


class BeffBase(rfm.RunOnlyRegressionTest):
    '''A measurement by beff. Its figures come from the key=value lines of beff report.'''

    command = variable(str)
    flags = variable(typ.List[str], value=[])
    sheet = variable(str, value='')
    executable = 'beff'
    valid_systems = ['*']
    valid_prog_environs = ['*']
    num_tasks = 2
    num_tasks_per_node = 1
    exclusive_access = True

    @run_before('run')
    def set_commands(self):
        self.executable_opts = [self.command, *self.flags, '-o', 'result']
        self.postrun_cmds = ['beff report result.json --format kv']
        if self.sheet:
            self.postrun_cmds.append(f'beff accept {self.sheet} result.json')

    @sanity_function
    def is_verified(self):
        verified = sn.assert_found(r'^verified=1$', self.stdout)
        if not self.sheet:
            return verified
        return sn.all([verified, sn.assert_found(r'^beff accept: (met|undecided)', self.stdout)])

    def figure(self, key):
        return sn.extractsingle(rf'^{key}=(\S+)$', self.stdout, 1, float)


@rfm.simple_test
class BeffRun(BeffBase):
    descr = 'b_eff, the effective bandwidth of communication'
    command = 'run'

    @performance_function('MB/s')
    def b_eff(self):
        return self.figure('b_eff_MBps')

    @performance_function('us')
    def latency(self):
        return self.figure('latency_rings_and_randoms_us')


@rfm.simple_test
class BeffIO(BeffBase):
    descr = 'b_eff_io, the effective bandwidth of a file system'
    command = 'io'
    time_limit = '2h'

    @performance_function('MB/s')
    def b_eff_io(self):
        return self.figure('b_eff_io_MBps')
