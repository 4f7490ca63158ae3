import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { brightnessOfLogo, grey, watermarkActions } from '../test/watermark-actions.ts'
import { quadrantMeans } from '../images/test/sample-images.ts'
import { flipByte, storedFilePath } from '../test/consistency-check.ts'
import { useServer } from '../test/harness.ts'
import { grantPlan, type TestUser, uploadBrandImage } from '../test/test-data.ts'
import { runVerify } from '../test/run-verify.ts'

const server = useServer({ LOG_LEVEL: 'silent', WORKERS: '1' })

const { call, makeBrandedUser, setWatermark, addPhoto, fullImage } = watermarkActions(() => server)

interface Row {
  full_key: string
  thumb_key: string
  unmarked_key: string | null
  watermark_key: string | null
  watermark_layout: string | null
}
async function rowOf(id: string): Promise<Row> {
  const { rows } = await server.app.deps.pool.query<Row>(
    'select full_key, thumb_key, unmarked_key, watermark_key, watermark_layout from photos where id = $1',
    [id],
  )
  return rows[0]!
}
const pathOf = (key: string): string => storedFilePath(server, key)
const flip = (key: string): Promise<void> => flipByte(pathOf(key))
async function thumbnail(user: TestUser, id: string): Promise<Buffer> {
  const { thumbnail_url: url } = (await call(user, 'GET', `/photos/${id}`)).json<{ thumbnail_url: string }>()
  const { pathname, search } = new URL(url)
  return (await server.request({ method: 'GET', url: pathname + search })).rawPayload
}
const repair = async (): Promise<string> => (await runVerify(server, ['--all', '--repair', '--yes'])).text

test('pictures that are made again have the watermark that they had, and none that they had not, by their pixels', async () => {
  const pro = await makeBrandedUser()
  await setWatermark(pro, true)
  const marked = (await addPhoto(pro)).id
  await setWatermark(pro, false)
  const plain = (await addPhoto(pro)).id
  // Was on a plan with watermarks, and has chosen another layout since.
  const free = await makeBrandedUser()
  await setWatermark(free, true)
  const [old, oldThumbnail] = [(await addPhoto(free)).id, (await addPhoto(free)).id]
  await call(free, 'PUT', '/user/settings', { watermark_corner: 'top-left', watermark_size: 'large' })
  await grantPlan(server, free, 'free')
  const unmarked = (await addPhoto(free)).id
  const newLogo = await makeBrandedUser()
  await setWatermark(newLogo, true)
  const replaced = (await addPhoto(newLogo)).id
  await uploadBrandImage(server, newLogo, 'logo', await grey(100, 100, 255).png().toBuffer())
  const noLogo = await makeBrandedUser()
  await setWatermark(noLogo, true)
  const broken = (await addPhoto(noLogo)).id
  await server.work()

  const images = async () => ({
    marked: await fullImage(pro, marked),
    old: await fullImage(free, old),
    unmarked: await fullImage(free, unmarked),
    thumbnails: [await thumbnail(free, oldThumbnail), await thumbnail(free, unmarked)],
  })
  const before = await images()
  expect(Math.abs((await brightnessOfLogo(before.marked)) - 178)).toBeLessThan(9)
  expect(await brightnessOfLogo(before.unmarked)).toBeLessThan(12)
  const rows = {
    plain: await rowOf(plain),
    broken: await rowOf(broken),
    old: await rowOf(old),
    replaced: await rowOf(replaced),
  }
  expect([rows.plain.watermark_key, rows.old.watermark_layout]).toEqual([null, 'medium bottom-right medium'])
  await flip((await rowOf(marked)).full_key)
  for (const { full_key: key } of [rows.plain, rows.old, rows.replaced, rows.broken]) await rm(pathOf(key))
  for (const id of [oldThumbnail, unmarked]) await rm(pathOf((await rowOf(id)).thumb_key))
  await flip(rows.broken.watermark_key!)

  const text = await repair()
  expect(text).toContain('repaired Regenerated 3 watermarked pictures.')
  expect(text).toContain('repaired Regenerated 2 thumbnails.')
  expect(text).toMatch(/NOT REPAIRED {2}3 files cannot be regenerated/)
  for (const lost of [rows.plain.full_key, rows.broken.full_key, rows.broken.watermark_key])
    expect(text).toContain(lost)
  const after = await images()
  expect(after.marked.equals(before.marked)).toBe(true)
  expect(after.old.equals(before.old)).toBe(true)
  expect(after.unmarked.equals(before.unmarked)).toBe(true)
  for (const image of after.thumbnails) expect(Math.max(...(await quadrantMeans(image)).flat())).toBeLessThan(12)
  expect((await rowOf(old)).watermark_layout).toBe(rows.old.watermark_layout)
  // The new logo is as wide as it is high, so its edge is where the old one was.
  expect(Math.abs((await brightnessOfLogo(await fullImage(newLogo, replaced))) - 178)).toBeLessThan(9)
  expect((await rowOf(replaced)).watermark_key).not.toBe(rows.replaced.watermark_key)
  expect([await rowOf(plain), await rowOf(broken)]).toEqual([rows.plain, rows.broken])
})
