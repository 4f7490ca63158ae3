import { readFile } from 'node:fs/promises'
import { afterEach, inject } from 'vitest'
import { describePages } from './browser.ts'

const shownLogLines = 5

/** The newest warnings and errors of the program that spec files share. */
async function sharedServerLog(): Promise<string> {
  const text = await readFile(inject('sharedServer').log, 'utf8').catch(String)
  const lines = text.trim().split('\n').slice(-shownLogLines)
  return ['Log of the shared program:', ...lines].join('\n')
}

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  const pages = `${await describePages()}\n${await sharedServerLog()}`
  console.log(pages)
  // For the list of failures at the end of the run.
  task.meta.pages = pages
})

declare module 'vitest' {
  interface TaskMeta {
    /** The pages that were open when the test failed, and what the shared program logged. */
    pages?: string
  }
}
