import { afterEach } from 'vitest'
import { printPages } from './open-pages.ts'

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await printPages()
})
