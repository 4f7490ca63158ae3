/** For whom a task is, and what it costs. */
export interface TaskClass {
  /** The tasks of an owner give way to those of owners who use fewer slots. */
  owner: string
  /** The task is short, as for every JPEG whose coded pixels may be kept. */
  isQuick: boolean
}

/** A task that waits for a slot. */
export interface WaitingTask extends TaskClass {
  queuedAt: number
}

/** A task that uses a slot. */
export interface RunningTask extends TaskClass {
  startedAt: number
}

/** Slots beyond the usual number: one for a quick task, and one for another owner. */
export const extraSlots = 2
/** A quick task that has run for longer than this counts as slow. */
export const quickMs = 2_000
/** Tasks that have waited for longer than this no longer give way to quick ones: this prevents starvation. */
const maxGiveWayMs = 10_000

const isSlow = ({ isQuick, startedAt }: RunningTask, now: number): boolean => !isQuick || now - startedAt > quickMs

/**
 * Whether a task may start while these are running. While all regular slots run slow tasks, one more quick task may
 * start, and one of another owner if all running ones have the same owner: the system then divides the CPUs among them,
 * so that nothing has to be preempted.
 */
export function mayStart(
  task: TaskClass,
  running: readonly RunningTask[],
  { concurrency, now }: { concurrency: number; now: number },
): boolean {
  if (running.length < concurrency) return true
  if (running.length >= concurrency + extraSlots || !running.every((one) => isSlow(one, now))) return false
  if (task.isQuick) return true
  const [first] = running
  return (
    running.length === concurrency && task.owner !== first?.owner && running.every((one) => one.owner === first?.owner)
  )
}

/**
 * The task to start next: a quick one, or one that has waited for a long time; of those, one of the owner who uses the
 * fewest slots; of those, the first in the queue. Undefined when none may start now.
 */
export function nextTask<Task extends WaitingTask>(
  waiting: readonly Task[],
  running: readonly RunningTask[],
  limits: { concurrency: number; now: number },
): Task | undefined {
  const slotsOf = (owner: string): number => running.filter((one) => one.owner === owner).length
  const givesWay = ({ isQuick, queuedAt }: Task): boolean => !isQuick && limits.now - queuedAt <= maxGiveWayMs
  const rankOf = (task: Task): number => (givesWay(task) ? 1_000 : 0) + slotsOf(task.owner)
  let next: Task | undefined
  for (const task of waiting) if (mayStart(task, running, limits) && (!next || rankOf(task) < rankOf(next))) next = task
  return next
}
