/** Runs the tasks of one key one after the other, and those of different keys concurrently. */
export interface SerialQueues {
  add(key: string, task: () => Promise<void>): void
}

/** `onError` receives what a task rejects with; the next task of the key runs all the same. */
export function createSerialQueues(onError: (error: unknown) => void): SerialQueues {
  const lastTaskByKey = new Map<string, Promise<void>>()
  return {
    add(key, task) {
      const lastTask = (lastTaskByKey.get(key) ?? Promise.resolve()).then(task).catch(onError)
      lastTaskByKey.set(key, lastTask)
      void lastTask.then(() => lastTaskByKey.get(key) === lastTask && lastTaskByKey.delete(key))
    },
  }
}
