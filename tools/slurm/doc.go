// Package slurm tests beff under Slurm itself: a controller and two node daemons on this machine, jobs that srun and
// sbatch start, and the results of jobs that are cancelled, requeued, or reach their time limit.
package slurm
