import type { TaskClass } from './image-jobs.ts'

/** A task that waits for a slot. */
export interface WaitingTask {
  taskClass: TaskClass
  queuedAt: number
}

/** Slots beyond the usual number: one for a quick task while the others are in use, and one for long tasks. */
export const extraSlots = 2
/** Tasks that have waited for longer than this no longer give way to quick ones: this prevents starvation. */
const maxGiveWayMs = 10_000

/** Whether a task may start while so many that are not long are running. */
export const mayStart = (taskClass: TaskClass, running: number, concurrency: number): boolean =>
  running < concurrency + (taskClass === 'quick' ? 1 : 0)

/**
 * The task to start next: a quick one, or one that has waited for a long time; of those, the first in the queue. Undefined
 * when none may start now.
 */
export function nextTask<Task extends WaitingTask>(
  waiting: Iterable<Task>,
  running: number,
  { concurrency, now }: { concurrency: number; now: number },
): Task | undefined {
  let next: Task | undefined
  for (const task of waiting) {
    if (!mayStart(task.taskClass, running, concurrency)) continue
    if (task.taskClass === 'quick' || now - task.queuedAt > maxGiveWayMs) return task
    next ??= task
  }
  return next
}
