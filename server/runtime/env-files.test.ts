import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder, startProgram } from '../test/child-processes.ts'

const settings = 'PUBLIC_URL=https://photos.example.com\r\nPORT=4103\r\n'
const utf16 = Buffer.from(`\uFEFF${settings}`, 'utf16le')

/** What a program gets from a file of settings. */
async function environmentOf(content: string | Buffer): Promise<string> {
  const folder = scratchFolder(onTestFinished)
  writeFileSync(join(folder, '.env'), content)
  const script = `
    import { readMarkedEnvFiles } from ${JSON.stringify(join(import.meta.dirname, 'env-files.ts'))}
    try { readMarkedEnvFiles(process.env, process.execArgv) } catch (error) { console.log(error.message) }
    const { PUBLIC_URL, PORT } = process.env
    console.log(JSON.stringify({ PUBLIC_URL, PORT, others: Object.keys(process.env).filter((name) => !/^\\w+$/.test(name)) }))`
  const program = startProgram(
    onTestFinished,
    [process.execPath, '--env-file=.env', '--input-type=module', '--eval', script],
    { cwd: folder, env: { PORT: '3000' } },
  )
  expect(await program.ended).toBe(0)
  return program.lines.join('\n')
}

// What is set in the environment wins, as without the mark.
const readRight = '{"PUBLIC_URL":"https://photos.example.com","PORT":"3000","others":[]}'

test.each([
  ['UTF-8 with a byte order mark', `\uFEFF${settings}`, readRight],
  ['UTF-16 of Windows', utf16, readRight],
  ['UTF-16 in the other order', Buffer.from(utf16).swap16(), readRight],
  [
    'UTF-16 without a mark',
    utf16.subarray(2),
    expect.stringMatching(/^The file \.env is not text in UTF-8, .*Save it again/),
  ],
])('a file of settings in %s is read, or refused by its name', async (_, content, seen) => {
  expect(await environmentOf(content)).toEqual(seen)
})
