#!/usr/bin/env bash
# cluster.sh start FOLDER PROCESS - a cluster of Slurm on this machine: two nodes, n1 and n2, of one processor
#     each, with all that they write in FOLDER, which is a whole path. SLURM_CONF=FOLDER/slurm.conf finds it. It
#     is stopped when PROCESS ends, however that ends.
# cluster.sh lose FOLDER NODE - kills a node with all that runs there, and says that it is down: Slurm alone
#     would need half a minute to notice.
# cluster.sh back FOLDER NODE - starts it again.
# cluster.sh stop FOLDER - kills all of it.
set -euo pipefail

what=$1
folder=$2
conf=$folder/slurm.conf
PATH=$PATH:/usr/sbin # where Debian has the daemons

# Daemons and tasks are known by their environment.
processes() { grep -lzx "SLURM_CONF=$conf" /proc/[0-9]*/environ 2> /dev/null | cut -d / -f 3; }

# processes_of NODE - who watches over a task comes first, so that it tells nobody of its end; it is known by
# the task.
processes_of() {
    local process found=() watching=()
    for process in $(processes); do
        if grep -qzxE "(CLUSTER_NODE|SLURMD_NODENAME)=$1" "/proc/$process/environ" 2> /dev/null; then
            found+=("$process")
            watching+=("$(awk '$1 == "PPid:" { print $2 }' "/proc/$process/status" 2> /dev/null)")
        fi
    done
    for process in $(processes); do
        if [[ " ${watching[*]} " == *" $process "* ]]; then echo "$process"; fi
    done
    [ ${#found[@]} -eq 0 ] || printf '%s\n' "${found[@]}"
}

# end_all [NODE] - who is killed may just be starting another.
end_all() {
    local found
    for _ in {1..50}; do
        mapfile -t found < <(if [ $# -eq 0 ]; then processes; else processes_of "$1"; fi)
        [ ${#found[@]} -gt 0 ] || return 0
        kill -KILL "${found[@]}" 2> /dev/null || true
        sleep 0.05
    done
    echo "processes of $folder do not end: ${found[*]}" >&2
    return 1
}

with_conf() { env SLURM_CONF="$conf" "$@" 3>&-; }
start_node() { CLUSTER_NODE=$1 with_conf slurmd -f "$conf" -N "$1"; }

# Five ports in a row on which nobody listens.
free_ports() {
    local first port
    for _ in {1..100}; do
        first=$((20000 + RANDOM % 10000))
        for port in $(seq "$first" $((first + 4))); do
            if (exec 9<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then continue 2; fi
        done
        echo "$first"
        return
    done
    return 1
}

# A task of a lost node is begun again as soon as its credential has expired.
write_conf() {
    local host port user
    host=$(hostname -s)
    user=$(id -un)
    port=$(free_ports)
    cat > "$conf" << END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
KillWait=1
ReturnToService=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
}

is_up() { [ "$(with_conf sinfo --noheader --Node --format=%T 2> /dev/null | grep -cx 'idle')" -eq 2 ]; }

start() {
    mkdir -p "$folder/state" "$folder/spool-n1" "$folder/spool-n2"
    chmod 755 "$folder"
    setsid -f "$0" guard "$folder" "$1" > /dev/null 2>&1 3>&- < /dev/null
    head -c 1024 /dev/urandom > "$folder/munge.key"
    chmod 600 "$folder/munge.key"
    write_conf
    with_conf munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
        --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"
    with_conf slurmctld -c -f "$conf"
    start_node n1
    start_node n2
    for _ in {1..100}; do
        if is_up; then return; fi
        sleep 0.2
    done
    tail -n 20 "$folder"/*.log >&2
    end_all
    return 1
}

case $what in
    start) start "$3" ;;
    lose)
        end_all "$3"
        with_conf scontrol update NodeName="$3" State=DOWN Reason=lost
        ;;
    back) start_node "$3" ;;
    stop) end_all ;;
    guard)
        while kill -0 "$3" 2> /dev/null; do sleep 0.5; done
        end_all
        ;;
esac
