// For tests: holds a data folder until it is told to end, or until it has lost it. Usage: folder-lock-program.ts DATA_DIR
import { lockDataFolder, prepareDataFolder } from '../runtime/data-folder.ts'
import { waitForShutdown } from '../runtime/shutdown.ts'

const [dataDir = ''] = process.argv.slice(2)
try {
  await prepareDataFolder(dataDir)
  const hold = await lockDataFolder(dataDir)
  hold.update({ address: 'http://localhost:4321' })
  const alive = setInterval(() => {}, 60_000)
  const told = waitForShutdown(undefined, () => process.exit(1))
  process.stdout.write('held\n')
  const why = await Promise.race([told, hold.lost.then((by) => `lost ${by}`)])
  clearInterval(alive)
  process.stdout.write(`${why}\n`)
  await hold.release()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
