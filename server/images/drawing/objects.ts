import { px, radialGradient, type Layer } from './canvas.ts'
import { holdingHand } from './hands.ts'
import type { Scenery } from './lights.ts'

const unitOf = ({ size: { width, height } }: Scenery): number => Math.max(width, height) / 1500

/** A cake with candles on a table, in the middle of the picture. */
export function cake(scenery: Scenery): Layer[] {
  const { random, palette, size } = scenery
  const [unit, x, table] = [unitOf(scenery), size.width * random.between(0.4, 0.6), size.height * 0.86]
  const top = { width: 200, height: 110, y: table - 390 * unit }
  const tiers = [
    { width: 470, height: 150, y: table - 150 * unit },
    { width: 330, height: 130, y: table - 280 * unit },
    top,
  ]
  const tier = ({ width, height, y }: (typeof tiers)[number]): string => {
    const [w, h] = [width * unit, height * unit]
    const drops = Array.from({ length: Math.round(width / 26) }, (_, n) => {
      const [dropX, length] = [x - w / 2 + (n + 0.5) * 26 * unit, random.between(16, 54) * unit]
      return `<path d="M${px(dropX - 11 * unit)} ${px(y)}v${px(length)}a${px(11 * unit)} ${px(11 * unit)} 0 0 0 ${px(22 * unit)} 0V${px(y)}Z"/>`
    }).join('')
    return (
      `<rect x="${px(x - w / 2)}" y="${px(y)}" width="${px(w)}" height="${px(h)}" rx="${px(10 * unit)}" fill="url(#cream)"/>` +
      `<ellipse cx="${px(x)}" cy="${px(y)}" rx="${px(w / 2)}" ry="${px(w * 0.075)}" fill="#fff3df"/>` +
      `<g fill="${palette.party[3]}" fill-opacity=".92">${drops}<ellipse cx="${px(x)}" cy="${px(y - 2 * unit)}" rx="${px(w / 2)}" ry="${px(w * 0.07)}"/></g>`
    )
  }
  const flames: string[] = []
  const candle = (_: unknown, n: number): string => {
    const [candleX, wick] = [x + (n - 3) * 24 * unit, top.y - random.between(72, 84) * unit]
    flames.push(
      `<circle cx="${px(candleX)}" cy="${px(wick - 18 * unit)}" r="${px(70 * unit)}" fill="url(#glow)"/>` +
        `<path d="M${px(candleX)} ${px(wick - 42 * unit)}q${px(13 * unit)} ${px(26 * unit)} 0 ${px(38 * unit)}q${px(-13 * unit)} ${px(-12 * unit)} 0 ${px(-38 * unit)}Z" fill="#fff4cf"/>`,
    )
    return `<rect x="${px(candleX - 4 * unit)}" y="${px(wick)}" width="${px(8 * unit)}" height="${px(80 * unit)}" rx="${px(3 * unit)}" fill="${palette.party[n % palette.party.length]}"/>`
  }
  const candles = Array.from({ length: 7 }, candle).join('')
  const definitions =
    `<linearGradient id="cream"><stop offset="0" stop-color="#7a4b33"/><stop offset=".3" stop-color="#f3d9b8"/><stop offset=".62" stop-color="#ffeed4"/><stop offset="1" stop-color="#8a5a3d"/></linearGradient>` +
    radialGradient('glow', {}, [
      [0, '#ffe9a8', 0.95],
      [0.35, '#ffb347', 0.35],
      [1, '#ff8a3c', 0],
    ])
  const cloth = `<rect y="${px(table - 6 * unit)}" width="${size.width}" height="${px(size.height - table + 6 * unit)}" fill="#2a1710"/><ellipse cx="${px(x)}" cy="${px(table)}" rx="${px(330 * unit)}" ry="${px(34 * unit)}" fill="#f1e2cc" fill-opacity=".8"/>`
  return [
    { shapes: cloth, blur: 3 },
    { shapes: tiers.map(tier).join('') + candles, definitions, blur: 1 },
    { shapes: flames.join(''), definitions, blur: 1.2, blend: 'screen' },
  ]
}

/** Glasses that meet in the foreground. */
export function clinkingGlasses(scenery: Scenery): Layer[] {
  const { random, palette, size } = scenery
  const unit = unitOf(scenery)
  const gold = palette.lights[0]
  const glass = (x: number, y: number, turn: number): string => {
    const bubbles = Array.from(
      { length: 26 },
      () =>
        `<circle cx="${px(random.between(-46, 46))}" cy="${px(random.between(-150, 60))}" r="${px(random.between(1.4, 4))}" fill="#fff" fill-opacity="${random.between(0.3, 0.9).toFixed(2)}"/>`,
    ).join('')
    return (
      `<g transform="translate(${px(x)} ${px(y)}) rotate(${px(turn)}) scale(${(unit * 1.25).toFixed(3)})">` +
      `<path d="M-62 -230C-66 -60 -50 90 -8 120V330H8V120C50 90 66 -60 62 -230Z" fill="#fff" fill-opacity=".1"/>` +
      `<path d="M-60 -165C-60 -20 -44 86 -6 112H6C44 86 60 -20 60 -165Z" fill="${gold}" fill-opacity=".62"/>` +
      `<ellipse cy="-165" rx="60" ry="11" fill="#fff3d0" fill-opacity=".75"/><ellipse cy="-230" rx="62" ry="12" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="4"/>${bubbles}` +
      `<path d="M-50 -215C-54 -80 -44 30 -22 84" fill="none" stroke="#fff" stroke-opacity=".8" stroke-width="8" stroke-linecap="round"/>` +
      `<path d="M56 -200C56 -80 48 10 34 60" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="5" stroke-linecap="round"/>` +
      `<path d="M-14 330C-60 345 -70 352 -72 362H72C70 352 60 345 14 330Z" fill="#fff" fill-opacity=".35"/></g>`
    )
  }
  const [x, y] = [size.width * random.between(0.46, 0.54), size.height * random.between(0.52, 0.58)]
  const hands = ([-1, 1] as const).map((side) =>
    holdingHand(scenery, {
      x: x + side * 149 * unit,
      y: y + 262 * unit,
      elbow: [x + side * 600 * unit, y + 690 * unit],
      unit,
    }),
  )
  return [
    {
      shapes: `<g fill="${palette.rim}" fill-opacity=".7" transform="translate(0 ${px(-5 * unit)})">${hands.map(({ outline }) => outline).join('')}</g>`,
      blur: 3,
      blend: 'screen',
    },
    { shapes: hands.map(({ behind }) => behind).join(''), blur: 1.6 },
    { shapes: glass(x - 76 * unit, y, 15) + glass(x + 76 * unit, y + 6 * unit, -15), blur: 0.8 },
    { shapes: hands.map(({ before }) => before).join(''), blur: 1.2 },
  ]
}

/** A sparkler in somebody's hand. */
export function sparkler(scenery: Scenery): Layer[] {
  const { random, palette, size } = scenery
  const [unit, x, y] = [
    unitOf(scenery),
    size.width * random.between(0.42, 0.58),
    size.height * random.between(0.36, 0.48),
  ]
  const spark = (): string => {
    const [angle, length] = [random.between(0, 2 * Math.PI), random.between(60, 300) * unit]
    const [endX, endY] = [x + Math.cos(angle) * length, y + Math.sin(angle) * length]
    const fork = random.chance(0.4)
      ? `<path d="M${px(endX)} ${px(endY)}l${px(random.between(-24, 24) * unit)} ${px(random.between(-24, 24) * unit)}m0 0l${px(random.between(-12, 12) * unit)} ${px(random.between(-12, 12) * unit)}"/>`
      : ''
    return `<path d="M${px(x + Math.cos(angle) * length * 0.2)} ${px(y + Math.sin(angle) * length * 0.2)}L${px(endX)} ${px(endY)}"/>${fork}`
  }
  const sparks = Array.from({ length: 150 }, spark).join('')
  const definitions = radialGradient('burn', {}, [
    [0, '#ffffff', 1],
    [0.12, '#fff3c4', 0.9],
    [0.4, palette.lights[1], 0.4],
    [1, palette.lights[2], 0],
  ])
  const wire = `<path d="M${px(x)} ${px(y)}L${px(x + 70 * unit)} ${px(y + 420 * unit)}" stroke="#2a1b14" stroke-width="${px(7 * unit)}"/>`
  const hand = holdingHand(scenery, {
    x: x + 64 * unit,
    y: y + 400 * unit,
    elbow: [x + 330 * unit, y + 1000 * unit],
    unit,
  })
  return [
    { shapes: hand.behind + wire + hand.before, blur: 1.8 },
    {
      shapes: `<circle cx="${px(x)}" cy="${px(y)}" r="${px(330 * unit)}" fill="url(#burn)"/>`,
      definitions,
      blur: 2,
      blend: 'screen',
    },
    {
      shapes: `<g fill="none" stroke="#fff1c9" stroke-width="${px(2.6 * unit)}" stroke-linecap="round" stroke-opacity=".9">${sparks}</g>`,
      blur: 0.8,
      blend: 'screen',
    },
  ]
}

/** Balloons under the ceiling; `depth` 0 is far away and out of focus, 1 in front. */
export function balloons(scenery: Scenery, { count, depth }: { count: number; depth: number }): Layer {
  const { random, palette, size } = scenery
  const unit = unitOf(scenery) * (0.55 + depth * 0.75)
  const definitions: string[] = []
  const balloon = (_: unknown, n: number): string => {
    const [x, y] = [
      ((n + 0.5 + random.between(-0.4, 0.4)) / count) * size.width,
      random.between(0.06, 0.46) * size.height,
    ]
    const [color, id, turn] = [
      random.pick(palette.party),
      `balloon${Math.round(depth * 10)}-${n}`,
      random.between(-12, 12),
    ]
    definitions.push(
      `<radialGradient id="${id}" cx=".36" cy=".3" r=".85"><stop offset="0" stop-color="#fff" stop-opacity=".95"/><stop offset=".12" stop-color="${color}"/><stop offset=".6" stop-color="${color}"/><stop offset="1" stop-color="${palette.sky}"/></radialGradient>`,
    )
    return (
      `<g transform="translate(${px(x)} ${px(y)}) rotate(${px(turn)}) scale(${unit.toFixed(3)})">` +
      `<path d="M0 118q14 130-10 300" stroke="#fff" stroke-opacity=".35" stroke-width="2.4" fill="none"/>` +
      `<path d="M0 112C-64 90-92 30-92-22C-92-82-50-120 0-120S92-82 92-22C92 30 64 90 0 112Z" fill="url(#${id})"/>` +
      `<path d="M-9 124L0 110L9 124Z" fill="${color}"/><ellipse cx="-38" cy="-62" rx="13" ry="26" fill="#fff" fill-opacity=".5" transform="rotate(28 -38 -62)"/></g>`
    )
  }
  const shapes = Array.from({ length: count }, balloon).join('')
  return { shapes, definitions: definitions.join(''), blur: depth > 0.6 ? 1 : 6 }
}

/** Paper lanterns that rise into the night. */
export function lanterns(
  scenery: Scenery,
  { count, scale, blur }: { count: number; scale: number; blur: number },
): Layer {
  const { random, size } = scenery
  const definitions =
    `<linearGradient id="paper" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#b4431c"/><stop offset=".55" stop-color="#ff9d45"/><stop offset="1" stop-color="#ffe2a0"/></linearGradient>` +
    radialGradient('halo', {}, [
      [0, '#ffb35c', 0.55],
      [1, '#ff7a2c', 0],
    ])
  const lantern = (): string => {
    const unit = unitOf(scenery) * scale * random.between(0.6, 1.15)
    const place = `translate(${px(random.between(0, size.width))} ${px(random.between(0.02, 0.72) * size.height)}) rotate(${px(random.between(-9, 9))}) scale(${unit.toFixed(3)})`
    return `<g transform="${place}"><circle r="150" fill="url(#halo)"/><path d="M-44 -62Q0 -84 44 -62L36 58Q0 70 -36 58Z" fill="url(#paper)"/><ellipse cy="58" rx="34" ry="8" fill="#fff0c0"/></g>`
  }
  return { shapes: Array.from({ length: count }, lantern).join(''), definitions, blur, blend: 'screen' }
}

/** A mirror ball with its reflections on everything. */
export function mirrorBall(scenery: Scenery): Layer[] {
  const { random, palette, size } = scenery
  const [unit, x, y] = [
    unitOf(scenery),
    size.width * random.between(0.35, 0.65),
    size.height * random.between(0.2, 0.28),
  ]
  const radius = 150 * unit
  const rows = 11
  let tiles = ''
  for (let row = 0; row < rows; row++) {
    const angle = ((row + 0.5) / rows - 0.5) * Math.PI
    const [rowY, rowRadius] = [y + Math.sin(angle) * radius, Math.cos(angle) * radius]
    const columns = Math.max(3, Math.round(rows * 1.6 * Math.cos(angle)))
    for (let column = 0; column < columns; column++) {
      const turn = ((column + 0.5) / columns - 0.5) * Math.PI
      const w = (Math.cos(turn) * rowRadius * Math.PI) / columns
      const bright = random.next() ** 2.2
      tiles += `<rect x="${px(x + Math.sin(turn) * rowRadius - w / 2)}" y="${px(rowY - radius / rows)}" width="${px(w * 0.92)}" height="${px(((1.85 * radius) / rows) * Math.cos(angle * 0.7))}" fill="${bright > 0.45 ? random.pick(palette.lights) : '#59616e'}" fill-opacity="${(0.25 + 0.75 * bright).toFixed(2)}"/>`
    }
  }
  const flecks = Array.from({ length: 120 }, () => {
    const [angle, distance] = [random.between(0, 2 * Math.PI), random.between(1.4, 7) * radius]
    const fleck = `translate(${px(x + Math.cos(angle) * distance)} ${px(y + Math.sin(angle) * distance * 0.8)}) rotate(${px((angle * 180) / Math.PI)})`
    return `<ellipse rx="${px(distance * 0.022)}" ry="${px(distance * 0.011)}" fill="${random.pick(palette.lights)}" fill-opacity="${random.between(0.25, 0.8).toFixed(2)}" transform="${fleck}"/>`
  }).join('')
  return [
    { shapes: flecks, blur: 4, blend: 'screen' },
    {
      shapes: `<path d="M${px(x)} 0V${px(y)}" stroke="#11131a" stroke-width="${px(5 * unit)}"/><circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" fill="#1b1f29"/>${tiles}`,
      blur: 0.8,
    },
  ]
}
