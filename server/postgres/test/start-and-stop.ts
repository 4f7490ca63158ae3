import { assert } from 'vitest'
import { databaseOf, type Program } from '../../test/child-processes.ts'

/** Waits until the program's database runs, and stops the program. */
export async function startAndStop(program: Program): Promise<void> {
  await program.waitForLine(/^ready/)
  const { all } = await databaseOf(program)
  assert(all.length > 0, 'a database runs')
  program.child.kill('SIGTERM')
  assert.equal(await program.ended, 0)
}
