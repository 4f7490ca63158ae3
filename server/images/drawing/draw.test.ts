import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawPartyPhoto, paletteNames, sceneNames, type PartyPhoto, type SceneName } from './draw.ts'
import { figure, randomLook, shouldersOf } from './figures.ts'
import { groups, type Member } from './groups.ts'
import { poses } from './poses.ts'
import { createRandom } from './random.ts'

const size = { width: 150, height: 100 }

const draw = (scene: SceneName, more: Partial<PartyPhoto> = {}): Promise<Buffer> =>
  drawPartyPhoto({ seed: 5, scene, palette: 'amber', size, ...more })

describe('a photo of a party', () => {
  test.each(sceneNames.map((scene, n) => ({ scene, palette: paletteNames[n % paletteNames.length]! })))(
    'of $scene has light and shadow',
    async ({ scene, palette }) => {
      const jpeg = await draw(scene, { palette })
      const [grey] = (await sharp(jpeg).greyscale().stats()).channels
      expect(grey?.mean).toBeGreaterThan(20)
      expect(grey?.mean).toBeLessThan(150)
      expect(grey?.stdev).toBeGreaterThan(14)
      expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', ...size })
    },
  )

  test('is the same each time, and another with another seed', async () => {
    const [jpeg, again, other] = await Promise.all([draw('couple'), draw('couple'), draw('couple', { seed: 6 })])
    expect([again.equals(jpeg), other.equals(jpeg)]).toEqual([true, false])
  })
})

describe('somebody at a party', () => {
  const alone: [string, Member][] = Object.entries(poses).map(([name, pose]) => [name, { x: 0, pose }])
  const together = Object.entries(groups).flatMap(([name, members]) =>
    members.map((member: Member, n): [string, Member] => [`${name} ${n + 1}`, member]),
  )
  test.each([...alone, ...together])('%s holds the hands where arms reach', (_, { pose }) => {
    const [left, right] = shouldersOf(pose, { wears: 'shirt', build: 1, hair: 'short', swing: 0 })
    const distances = [[left, pose.leftHand] as const, [right, pose.rightHand] as const].map(
      ([[x, y], [handX, handY]]) => Math.hypot(handX - x, handY - y),
    )
    expect(Math.max(...distances)).toBeLessThan(36)
  })

  test('can be drawn in every pose, whatever they wear', () => {
    const random = createRandom(3)
    for (const [, { pose }] of [...alone, ...together])
      for (let n = 0; n < 8; n++) {
        const shapes = figure(pose, randomLook(random)).map(([, shape]) => shape)
        expect(shapes.join('')).not.toMatch(/NaN|Infinity|undefined/)
        expect(shapes.length).toBeGreaterThan(5)
      }
  })
})
