import { afterEach } from 'vitest'
import { describePages } from './open-pages.ts'

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  const pages = await describePages()
  console.log(pages)
  // For the list of failures at the end of the run.
  task.meta.pages = pages
})

declare module 'vitest' {
  interface TaskMeta {
    /** The pages that were open when the test failed. */
    pages?: string
  }
}
