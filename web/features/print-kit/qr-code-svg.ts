import { quietModules, type Modules } from './drawing.ts'

/** The picture that server/lib/qr-codes.ts draws, and nothing else: one user unit is one module. */
const codeSvg =
  /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d{2,3}) \1" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\1v\1H0z"\/><path fill="#[\da-f]{6}" d="((?:M\d{1,3} \d{1,3}h\d{1,3}v1H\d{1,3}z)+)"\/><\/svg>$/
/** Version 40 with its quiet zone. */
const largestSide = 177 + 2 * quietModules

/** The modules of a code of the server, without the quiet zone. Throws when it is anything else than such a code. */
export function modulesOfSvg(svg: string): Modules {
  const [, side, path] = codeSvg.exec(svg) ?? []
  if (side === undefined || path === undefined || Number(side) > largestSide) throw new Error('not a QR code of ours')
  const size = Number(side) - 2 * quietModules
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const run of path.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)) {
    const [x = 0, y = 0, length = 0, back] = run.slice(1).map(Number)
    const row = modules[y - quietModules]
    const start = x - quietModules
    if (!row || back !== x || length === 0 || start < 0 || start + length > size)
      throw new Error('a QR code with something outside of its modules')
    row.fill(true, start, start + length)
  }
  return modules
}
