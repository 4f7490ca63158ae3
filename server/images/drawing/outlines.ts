/** A point in the units of a figure: x to the right, y down, 0 at the feet, -100 at the top of the head. */
export type Point = readonly [x: number, y: number]

const at = ([x, y]: Point): string => `${x.toFixed(2)} ${y.toFixed(2)}`

/** A smooth closed curve through points (Catmull-Rom). */
export function curveThrough(points: readonly Point[]): string {
  const point = (n: number): Point => points[(n + points.length) % points.length]! // within the array
  const parts = points.map((_, n) => {
    const [before, from, to, after] = [point(n - 1), point(n), point(n + 1), point(n + 2)]
    const first: Point = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6]
    const second: Point = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6]
    return `C${at(first)} ${at(second)} ${at(to)}`
  })
  return `<path d="M${at(point(0))}${parts.join('')}Z"/>`
}

/** A limb: a smooth outline around points, each with its half width, and with round ends. */
export function limb(joints: readonly (readonly [...Point, width: number])[]): string {
  const left: Point[] = []
  const right: Point[] = []
  for (const [n, [x, y, width]] of joints.entries()) {
    const [before, after] = [joints[Math.max(n - 1, 0)]!, joints[Math.min(n + 1, joints.length - 1)]!] // within the array
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]]
    const length = Math.hypot(dx, dy) || 1
    const [nx, ny] = [(-dy / length) * width, (dx / length) * width]
    // A round end reaches a little over its joint.
    const over = n === 0 ? -0.6 : n === joints.length - 1 ? 0.6 : 0
    const [endX, endY] = [x + (dx / length) * width * over, y + (dy / length) * width * over]
    left.push([endX + nx, endY + ny])
    right.unshift([endX - nx, endY - ny])
  }
  return curveThrough([...left, ...right])
}

/** The two places where a joint can be between two others, so that both parts have their lengths. */
function jointsBetween(from: Point, to: Point, [first, second]: readonly [number, number]): readonly [Point, Point] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const distance = Math.min(Math.hypot(dx, dy), (first + second) * 0.995) || 1
  const along = (first ** 2 - second ** 2 + distance ** 2) / (2 * distance)
  const out = Math.sqrt(Math.max(first ** 2 - along ** 2, 0))
  const [ux, uy] = [dx / (Math.hypot(dx, dy) || 1), dy / (Math.hypot(dx, dy) || 1)]
  const [x, y] = [from[0] + ux * along, from[1] + uy * along]
  return [
    [x - uy * out, y + ux * out],
    [x + uy * out, y - ux * out],
  ]
}

/** The joint that lies further in a direction: elbows out and down, knees out. */
export function jointTowards(
  [from, to]: readonly [Point, Point],
  lengths: readonly [number, number],
  [towardsX, towardsY]: Point,
): Point {
  const [one, other] = jointsBetween(from, to, lengths)
  const rank = ([x, y]: Point): number => x * towardsX + y * towardsY
  return rank(one) >= rank(other) ? one : other
}

/** A point turned around another by degrees, clockwise. */
export function turned([x, y]: Point, [centreX, centreY]: Point, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180
  const [dx, dy] = [x - centreX, y - centreY]
  return [centreX + dx * Math.cos(angle) - dy * Math.sin(angle), centreY + dx * Math.sin(angle) + dy * Math.cos(angle)]
}
