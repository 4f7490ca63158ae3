// For tests: locks a data folder until a request to shut down, or until it has lost the lock.
// Usage: folder-lock-program.ts DATA_DIR
import { lockDataFolder, prepareDataFolder } from '../platform/process/data-folder.ts'
import { waitForShutdown } from '../platform/process/shutdown.ts'

const [dataDir = ''] = process.argv.slice(2)
try {
  await prepareDataFolder(dataDir)
  const folderLock = await lockDataFolder(dataDir)
  folderLock.update({ address: 'http://localhost:4321' })
  const keepAliveTimer = setInterval(() => {}, 60_000)
  const shutdownRequest = waitForShutdown(undefined, () => process.exit(1))
  process.stdout.write('held\n')
  const reason = await Promise.race([shutdownRequest, folderLock.lost.then((message) => `lost ${message}`)])
  clearInterval(keepAliveTimer)
  process.stdout.write(`${reason}\n`)
  await folderLock.release()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
