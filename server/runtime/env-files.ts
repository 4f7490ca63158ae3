import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { StartupError } from './startup-error.ts'

const byteOrderMarks = [
  { bytes: Buffer.from([0xef, 0xbb, 0xbf]), encoding: 'utf-8' },
  { bytes: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { bytes: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
]

/**
 * Editors of Windows begin a file with a byte order mark, or write it in UTF-16: Node then loses its first variable or all of
 * them, without a word. Reads such files of `--env-file` again; what was set elsewhere stays.
 * @throws StartupError when a file is in UTF-16 without the mark that would say so
 */
export function readMarkedEnvFiles(env: NodeJS.ProcessEnv, nodeArguments: readonly string[]): void {
  for (const argument of nodeArguments) {
    const [, path] = /^--env-file(?:-if-exists)?=(.+)$/.exec(argument) ?? []
    if (path === undefined) continue
    const content = readFileSync(path)
    const mark = byteOrderMarks.find(({ bytes }) => content.subarray(0, bytes.length).equals(bytes))
    if (!mark && content.includes(0))
      throw new StartupError(
        `The file ${path} is not text in UTF-8, so its settings cannot be read. Save it again with the encoding UTF-8.`,
      )
    if (!mark) continue
    for (const name of Object.keys(env)) if (/^(\uFEFF|\uFFFD)/.test(name)) delete env[name]
    // The decoder removes the mark.
    const values = parseEnv(new TextDecoder(mark.encoding).decode(content))
    for (const [name, value] of Object.entries(values)) env[name] ??= value
  }
}
