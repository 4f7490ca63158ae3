import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FailedPhoto, ReportedPhoto } from '@keepsnap/contract/operator-photos.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { addPhotos } from '../../test/add-photos.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { auditOf, callOperator, makeOperator } from '../../test/operators.ts'
import { makeUser, upload, type TestUser } from '../../test/test-data.ts'

let server: TestServer
let operator: TestUser
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  operator = await makeOperator(server)
})
afterAll(() => server.close())

const reason = 'A complaint by email'
const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)
const act = (id: string, action: 'retry') => callOperator(server, operator, `photos/${id}/${action}`, { reason })
const failed = async (page = '') =>
  (await callOperator(server, operator, `failed-photos${page}`)).json<{ photos: FailedPhoto[]; total: number }>()
const reported = async (page = '') =>
  (await callOperator(server, operator, `reports${page}`)).json<{ photos: ReportedPhoto[]; total: number }>()
let reports = 0
async function report(
  photo: string,
  user: TestUser,
  { minutesAgo = 0, decision }: { minutesAgo?: number; decision?: 'keep' } = {},
) {
  reports += 1
  await query(
    `insert into photo_reports (id, photo_id, user_id, reason, note, reported_at, decision, decided_at)
     values ($1, $2, $3, 'hurtful', 'Please look', now() - make_interval(mins => $4), $5, case when $5::text is not null then now() end)`,
    [`r${reports}`, photo, user.id, minutesAgo, decision ?? null],
  )
}

test('failed photos of all accounts are listed without pictures, the newest first', async () => {
  const [one, two] = [await makeUser(server), await makeUser(server)]
  const [older = ''] = await addPhotos(server, one, { count: 1, state: 'failed', daysAgo: 2 })
  const [newer = ''] = await addPhotos(server, two, { count: 1, state: 'failed' })
  await addPhotos(server, two, { count: 1, state: 'failed', isDeleted: true })
  await query('update photos set original_key = null where id = $1', [older])
  const list = await failed()
  expect(list).toMatchObject({ total: 2, skip: 0, limit: 50 })
  expect(list.photos).toEqual([
    {
      id: newer,
      filename: 'IMG_1.jpg',
      owner: { id: two.id, username: two.email.split('@')[0] },
      created_at: expect.stringMatching(/Z$/),
      error_message: 'The file is broken.',
      can_retry: true,
    },
    expect.objectContaining({ id: older, can_retry: false }),
  ])
  expect(await failed('?skip=1&limit=1')).toMatchObject({ photos: [{ id: older }], total: 2, skip: 1, limit: 1 })
})

test('a failed photo is processed again', async () => {
  const user = await makeUser(server)
  const file = await jpeg()
  const { id } = (await upload(server, user, file)).json<Photo>()
  await server.work()
  expect((await act(id, 'retry')).json()).toEqual({
    code: 'conflict',
    detail: 'Only photos whose processing failed can be retried.',
  })
  const second = (await upload(server, user, file)).json<Photo>()
  await query(`update photos set state = 'failed', finished_at = now() where id = $1`, [second.id])
  await query('delete from graphile_worker._private_jobs', [])
  expect((await act(second.id, 'retry')).json()).toEqual({ retried: true })
  await server.work()
  const { rows } = await server.app.deps.pool.query<object>('select state from photos where id = $1', [second.id])
  expect(rows).toEqual([{ state: 'ready' }])
  expect(await auditOf(server, second.id)).toMatchObject([{ action: 'retry photo', reason, outcome: 'done' }])
})

test('the reason why a photo cannot be retried is shown to the operator and recorded in the audit log', async () => {
  const user = await makeUser(server)
  const [gone = '', full = ''] = await addPhotos(server, user, { count: 2, state: 'failed' })
  await query('update photos set original_key = null where id = $1', [gone])
  await query('update usage_months set uploads = $2 where user_id = $1', [user.id, plans.free.features.max_photos])
  const details = [
    'The uploaded file has been deleted. The owner of the photo must upload it again.',
    'The account has used all photos of this month, so this one cannot be retried.',
  ]
  for (const [at, id] of [gone, full].entries()) {
    expect((await act(id, 'retry')).json()).toEqual({ code: 'conflict', detail: details[at] })
    expect(await auditOf(server, id)).toMatchObject([{ outcome: 'refused', detail: details[at] }])
  }
  expect((await act('0'.repeat(22), 'retry')).statusCode).toBe(404)
})

test('reported photos of all accounts are listed, those with open reports first, each with its thumbnail', async () => {
  const [one, two] = [await makeUser(server), await makeUser(server)]
  const [open = '', decided = '', deleted = ''] = await addPhotos(server, one, { count: 4 })
  const [newest = ''] = await addPhotos(server, two, { count: 1 })
  await query(`update photos set thumb_key = 'thumb/' || left(md5(id), 22) where id = any($1)`, [[open, newest]])
  await query('update photos set deleted_at = now() where id = $1', [deleted])
  await report(open, one, { minutesAgo: 30 })
  await report(open, one, { minutesAgo: 40 })
  await report(decided, one, { decision: 'keep' })
  await report(newest, two, { minutesAgo: 10 })
  await report(deleted, one)
  const list = await reported()
  expect(list.total).toBe(3)
  expect(list.photos.map(({ report: { photo } }) => photo.id)).toEqual([newest, open, decided])
  expect(list.photos[1]).toMatchObject({
    owner: { id: one.id },
    report: {
      photo: { thumbnail_url: expect.stringMatching(/^http:\/\/photos\.test\/t\//) },
      open: true,
      hidden: false,
      reports: [{ reason: 'hurtful', note: 'Please look' }, { reason: 'hurtful' }],
      decision: null,
    },
  })
  expect(list.photos[2]?.report).toMatchObject({ open: false, decision: 'keep' })
  expect(await reported('?skip=1&limit=1')).toMatchObject({ photos: [{ report: { photo: { id: open } } }], total: 3 })
  for (const page of ['?limit=0', '?limit=101', '?skip=-1'])
    expect((await callOperator(server, operator, `reports${page}`)).statusCode).toBe(422)
})
