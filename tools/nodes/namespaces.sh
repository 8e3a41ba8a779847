# Network namespaces of this machine as nodes, for scripts that source this file. Each node has its own host name, and a
# network device on a bridge in another namespace: nothing leaves the machine, and nothing remains. It needs root and
# iproute2.

# A launcher calls the script with "inside NODE COMMAND…" instead of ssh.
here=$(readlink -f "$0")
if [ "${1-}" = inside ]; then
	node=$2
	shift 2
	exec ip netns exec "$NODES-$node" unshare --uts --mount bash -c \
		'mount --bind "$1" /etc/hosts; hostname "$2"; shift 2; eval "$*"' - "$NODES_HOSTS" "$node" "$@"
fi
inside() { "$here" inside node1 "$(printf '%q ' "$@")"; }

# on NODE COMMAND… runs ip or tc in a namespace
on() {
	local node=$1 command=$2
	shift 2
	"$command" -n "$NODES-$node" "$@"
}

# up N makes node1 to nodeN with the addresses 10.77.0.1 to 10.77.0.N. They vanish when the script ends.
up() {
	export NODES=beff$$ NODES_HOSTS OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	directory=$(mktemp -d) count=$1
	trap down EXIT
	NODES_HOSTS=$directory/hosts
	echo "127.0.0.1 localhost" >"$NODES_HOSTS"
	ip netns add "$NODES-switch"
	on switch ip link add bridge type bridge
	on switch ip link set bridge up
	for i in $(seq "$1"); do
		ip netns add "$NODES-node$i"
		ip link add eth0 netns "$NODES-node$i" type veth peer name "port$i" netns "$NODES-switch"
		on switch ip link set "port$i" master bridge up
		on "node$i" ip link set lo up
		on "node$i" ip addr add "10.77.0.$i/24" dev eth0
		on "node$i" ip link set eth0 up
		echo "10.77.0.$i node$i" >>"$NODES_HOSTS"
	done
}
down() {
	for name in switch $(seq -f node%g "$count"); do
		ip netns del "$NODES-$name" 2>/dev/null || true
	done
	rm -rf "$directory"
}

# over_tcp is the launcher of Open MPI over these nodes.
over_tcp=(mpirun.openmpi --mca plm_rsh_agent "$here inside" --mca pml ob1 --mca btl_tcp_if_include 10.77.0.0/24
	--mca oob_tcp_if_include 10.77.0.0/24 --mca mpi_yield_when_idle 1 --bind-to none -x NODES -x NODES_HOSTS)
