package slurm

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cluster is a Slurm of two nodes on this machine, in a separate directory.
type cluster struct {
	*testing.T
	dir  string
	host string
}

const configuration = `ClusterName=beff
SlurmctldHost=HOST(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=PORT0
AuthType=auth/munge
AuthInfo=socket=DIR/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool-%n
TmpFS=DIR/tmp-%n
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/slurmd-%n.pid
SlurmctldLogFile=DIR/slurmctld.log
SlurmdLogFile=DIR/slurmd-%n.log
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=2
JobRequeue=1
KillWait=30
ReturnToService=2
SlurmctldTimeout=60
SlurmdTimeout=120
NodeName=n1 NodeHostname=HOST NodeAddr=127.0.0.1 Port=PORT1 CPUs=2 State=UNKNOWN
NodeName=n2 NodeHostname=HOST NodeAddr=127.0.0.1 Port=PORT2 CPUs=2 State=UNKNOWN
PartitionName=test Nodes=n1,n2 Default=YES MaxTime=60 State=UP OverSubscribe=NO
`

// start starts the daemons, which end with the test, and waits until both nodes are idle.
func start(t *testing.T) *cluster {
	dir, err := os.MkdirTemp("", "slurm") // short, for the names of sockets
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	host, err := os.Hostname()
	require.NoError(t, err)
	c := &cluster{t, dir, host}
	for _, dir := range []string{"munge", "state", "spool-n1", "spool-n2", "tmp-n1", "tmp-n2", "work"} {
		require.NoError(t, os.Mkdir(filepath.Join(c.dir, dir), 0o755))
	}
	key := filepath.Join(c.dir, "munge", "key")
	require.NoError(t, os.WriteFile(key, bytes.Repeat([]byte("beff's test only"), 8), 0o400))
	words := []string{"DIR", c.dir, "HOST", host}
	for i, port := range freePorts(t, 3) {
		words = append(words, fmt.Sprintf("PORT%d", i), fmt.Sprint(port))
	}
	text := strings.NewReplacer(words...).Replace(configuration)
	require.NoError(t, os.WriteFile(c.config(), []byte(text), 0o644))
	hosts := []byte("127.0.0.1 localhost n1 n2 " + host + "\n")
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "hosts"), hosts, 0o644))
	c.daemon("munged", "--foreground", "--force", "--key-file="+key, "--socket="+c.socket(), "--num-threads=2",
		"--pid-file="+c.dir+"/munge/pid", "--log-file="+c.dir+"/munge/log", "--seed-file="+c.dir+"/munge/seed")
	c.await("munged's socket", func() bool { _, err := os.Stat(c.socket()); return err == nil })
	c.daemon("unshare", "--mount", "sh", "-euc", c.withHosts()+"exec slurmctld -D -f "+c.config())
	for i, node := range []string{"n1", "n2"} {
		c.node(node, i)
	}
	c.await("two idle nodes", func() bool {
		out, _ := c.command("sinfo", "-h", "-o", "%T %D").Output()
		return strings.TrimSpace(string(out)) == "idle 2"
	})
	return c
}

// node starts the daemon of a node. The node has its own name, shared memory and every second processor. An MPI would
// take nodes with the same name for one host, and processes with the same local rank would use each other's memory.
func (c *cluster) node(name string, number int) {
	var processors []string
	for p := number; p < runtime.NumCPU(); p += 2 {
		processors = append(processors, fmt.Sprint(p))
	}
	script := c.withHosts() + "hostname " + name + "; mount -t tmpfs tmpfs /dev/shm; exec taskset --cpu-list " +
		strings.Join(processors, ",") + " slurmd -D -N " + name + " -f " + c.config()
	c.daemon("unshare", "--mount", "--uts", "sh", "-euc", script)
}

// withHosts returns the beginning of a daemon's script, which makes the names of the nodes known. slurmctld 24.11 looks
// them up, too, although the nodes have addresses.
func (c *cluster) withHosts() string {
	return "PATH=$PATH:/usr/sbin; mount --bind " + c.dir + "/hosts /etc/hosts; "
}

func (c *cluster) config() string { return filepath.Join(c.dir, "slurm.conf") }

func (c *cluster) socket() string { return filepath.Join(c.dir, "munge", "socket") }

// freePorts returns ports that nothing listens on.
func freePorts(t *testing.T, n int) (ports []int) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// daemon starts a program that runs until the test ends.
func (c *cluster) daemon(name string, args ...string) {
	path, err := exec.LookPath(name)
	if err != nil {
		path = filepath.Join("/usr/sbin", name)
	}
	d := exec.Command(path, args...)
	var out bytes.Buffer
	d.Stdout, d.Stderr = &out, &out
	d.Env = c.environ()
	require.NoError(c, d.Start(), name)
	c.Cleanup(func() {
		_ = d.Process.Signal(syscall.SIGTERM)
		ended := time.AfterFunc(20*time.Second, func() { _ = d.Process.Kill() })
		_ = d.Wait()
		ended.Stop()
		if c.Failed() {
			c.Logf("%s: %s", name, &out)
			logs, _ := filepath.Glob(filepath.Join(c.dir, "*.log"))
			for _, log := range logs {
				text, _ := os.ReadFile(log)
				c.Logf("%s: %s", log, text)
			}
		}
	})
}

// environ returns the environment of the cluster's programs. Open MPI 5 must not ask the kernel whether nodes are
// reachable, because the kernel's route to their common address doesn't use the address's device.
func (c *cluster) environ() []string {
	return append(os.Environ(), "SLURM_CONF="+c.config(), "OMPI_MCA_reachable=weighted", "OMPI_ALLOW_RUN_AS_ROOT=1",
		"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "BEFF_PLUGINS=", "XDG_DATA_HOME=/nonexistent")
}

// command returns a command that knows the cluster, and runs in the directory for output.
func (c *cluster) command(name string, args ...string) *exec.Cmd {
	x := exec.Command(name, args...)
	x.Dir = filepath.Join(c.dir, "work")
	x.Env = c.environ()
	return x
}

// output runs a command, which must succeed, and returns its stdout.
func (c *cluster) output(name string, args ...string) string {
	x := c.command(name, args...)
	var stderr bytes.Buffer
	x.Stderr = &stderr
	out, err := x.Output()
	require.NoError(c, err, "%s %v: %s%s", name, args, out, &stderr)
	return string(out)
}

// await waits until a condition holds, for at most ten minutes, because daemons are slow on a busy machine.
func (c *cluster) await(what string, holds func() bool) {
	for range 6000 {
		if holds() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	require.FailNow(c, "after ten minutes there is no "+what)
}
