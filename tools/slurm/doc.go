// Package slurm tests beff under Slurm itself: a controller and two node daemons on this machine, jobs that srun and
// sbatch start, and what becomes of them when they are cancelled, started again, or at their time limit.
package slurm
