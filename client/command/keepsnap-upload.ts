import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { accountKey, connectToServer, defaultStateFile } from './connect.ts'
import { type Options, readOptions, texts, UsageError } from './options.ts'
import { createOutput, createWaitReporter, printable } from './output.ts'
import { lockState, openState, StateError } from './state-file.ts'
import { createUploader, exitCodes, Stopped } from './uploader.ts'
import { createWatch } from './watch.ts'

/** The command keepsnap-upload. README.md beside this folder describes it. */

async function sortPaths(paths: readonly string[]): Promise<{ folders: string[]; files: string[] }> {
  const folders: string[] = []
  const files: string[] = []
  for (const path of paths) {
    const absolute = resolve(path)
    try {
      const found = await stat(absolute)
      ;(found.isDirectory() ? folders : files).push(absolute)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      throw new UsageError(code === 'ENOENT' ? texts.noSuchPath(path) : texts.unreadablePath(path, code))
    }
  }
  return { folders, files }
}

/** Aborts on the first signal; the second one ends the process as if nothing listened. */
function abortOnSignals(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

async function upload(options: Options, signal: AbortSignal): Promise<number> {
  const { url, recursive, event } = options
  const { folders, files } = await sortPaths(options.paths)
  const once = options.once || folders.length === 0
  const output = createOutput(process.stdout, options)
  const waits = createWaitReporter(output)
  const { user, ...server } = await connectToServer(options, { waits, signal })
  const stateFile = resolve(options.stateFile ?? defaultStateFile(url, user, process.env))
  await lockState(stateFile)
  const state = await openState(stateFile, accountKey(url, user))
  output.line(texts.account(user.username, url))
  if (!once) output.line(texts.watching(folders.join(', ')))
  const watch = createWatch({ folders, files, recursive, once, output, signal })
  const { waiting } = watch
  const uploader = createUploader({ ...server, url, event, state, output, waits, once, waiting, signal })
  const totals = await watch.run(uploader)
  output.line(texts.finished(totals.uploaded, totals.known, totals.failed))
  return totals.failed > 0 ? exitCodes.failed : exitCodes.done
}

/** Ends with the exit code; every expected failure is one sentence. */
async function main(): Promise<number> {
  const signal = abortOnSignals()
  const fail = (message: string, exitCode: number): number => {
    // The server wrote some of them.
    for (const line of message.split('\n')) process.stderr.write(`keepsnap-upload: ${printable(line)}\n`)
    return exitCode
  }
  try {
    const options = readOptions(process.argv.slice(2), process.env)
    if (options) return await upload(options, signal)
    process.stdout.write(texts.help)
    return exitCodes.done
  } catch (error) {
    if (signal.aborted) {
      process.stdout.write(`${texts.stopped}\n`)
      return exitCodes.done
    }
    if (error instanceof UsageError) return fail(texts.usage(error.message), exitCodes.usage)
    if (error instanceof Stopped) return fail(error.message, error.exitCode)
    if (error instanceof StateError) return fail(error.message, exitCodes.failed)
    throw error
  }
}

const exitCode = await main()
// Sockets to the server may still be open, and the folder still be watched.
process.stdout.write('', () => process.exit(exitCode))
