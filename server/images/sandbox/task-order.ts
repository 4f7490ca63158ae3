/** For whom a task is, and what it costs. */
export interface TaskClass {
  /** The tasks of an owner give way to those of owners who use fewer slots. */
  owner: string
  /** The task is short, as of every plain JPEG. */
  isQuick: boolean
}

/** A task that waits for a slot. */
export interface WaitingTask extends TaskClass {
  since: number
}

/** A task that uses a slot. */
export interface RunningTask extends TaskClass {
  startedAt: number
}

/** Slots beyond the usual number: one for a quick task, and one for another owner. */
export const extraSlots = 2
/** A quick task that has run for longer than this counts as slow. */
export const quickMs = 2_000
/** Tasks that have waited for longer than this no longer give way to quick ones. */
const maxGiveWayMs = 10_000

const isSlow = ({ isQuick, startedAt }: RunningTask, now: number): boolean => !isQuick || now - startedAt > quickMs

/**
 * Whether a task may start beside the running ones. While as many run as usual, and all of them are slow, one quick task more
 * may start, and a task of another owner while they are all of one owner: the system then divides the processors among them,
 * so that nothing has to be interrupted.
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
 * The task to start next: a quick one, or one that has waited for long; of those, one of the owner who uses the fewest slots;
 * of those, the first that came. Undefined when none may start now.
 */
export function nextTask<Task extends WaitingTask>(
  waiting: readonly Task[],
  running: readonly RunningTask[],
  limits: { concurrency: number; now: number },
): Task | undefined {
  const slotsOf = (owner: string): number => running.filter((one) => one.owner === owner).length
  const givesWay = ({ isQuick, since }: Task): boolean => !isQuick && limits.now - since <= maxGiveWayMs
  const rankOf = (task: Task): number => (givesWay(task) ? 1_000 : 0) + slotsOf(task.owner)
  let next: Task | undefined
  for (const task of waiting) if (mayStart(task, running, limits) && (!next || rankOf(task) < rankOf(next))) next = task
  return next
}
