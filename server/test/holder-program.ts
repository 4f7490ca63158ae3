// For tests: holds a data folder until it is told to end, or until it has lost it. Usage: holder-program.ts DATA_DIR
import { holdDataFolder, prepareDataFolder } from '../data-folder.ts'
import { untilTold } from '../lifecycle.ts'

const [dataDir = ''] = process.argv.slice(2)
try {
  await prepareDataFolder(dataDir)
  const hold = await holdDataFolder(dataDir)
  hold.tell({ address: 'http://localhost:4321' })
  const alive = setInterval(() => {}, 60_000)
  const told = untilTold(undefined, () => process.exit(1))
  process.stdout.write('held\n')
  const why = await Promise.race([told, hold.lost.then((by) => `lost ${by}`)])
  clearInterval(alive)
  process.stdout.write(`${why}\n`)
  await hold.release()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
