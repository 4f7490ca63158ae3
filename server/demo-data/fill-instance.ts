import { changeAccount } from '../features/accounts/operator-changes.ts'
import { drawBackground, drawLogo } from '../images/drawing/draw.ts'
import { addAccounts, type DemoAccounts } from './accounts.ts'
import { callApi } from './api-calls.ts'
import { planPhotos, type PlannedPhoto } from './evenings.ts'
import type { FillContext } from './fill-context.ts'
import { addIntegrations } from './integrations.ts'
import { addPaidPlans } from './paid-plans.ts'
import { addHistory } from './history.ts'
import { people, personNames } from './people.ts'
import { uploadDamagedPhoto, uploadPhotos, type DemoPhoto } from './photos.ts'

/** Uploads the studio's logo and background and turns its watermark on. Call it before the photos are uploaded. */
async function addBrand({ http, publicUrl }: FillContext, { studio }: DemoAccounts): Promise<void> {
  const caller = { http, publicUrl, token: studio.token }
  const images = { logo: await drawLogo(), background: await drawBackground() }
  const logo = { bytes: images.logo, name: 'lumen-logo.png', type: 'image/png' }
  await callApi(caller, { method: 'POST', url: '/upload-logo', file: logo })
  const background = { bytes: images.background, name: 'lumen-background.jpg', type: 'image/jpeg' }
  await callApi(caller, { method: 'POST', url: '/upload-background', file: background })
  await callApi(caller, { method: 'PUT', url: '/user/settings', body: { use_logo_as_watermark: true } })
}

/** The photo that the damaged one follows: a recent one of the studio, not the newest, which the big screen shows. */
const beforeDamage = (planned: readonly PlannedPhoto[]): PlannedPhoto | undefined =>
  planned
    .filter(({ owner }) => owner === 'studio')
    .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
    .at(3)

/** Uploads the photos that guests see, and one that cannot be processed. */
async function addPhotos(
  context: FillContext,
  accounts: DemoAccounts,
  now: Date,
): Promise<{ ready: DemoPhoto[]; damaged: DemoPhoto[] }> {
  const planned = planPhotos(now, context.size)
  context.reportProgress(`Drawing and uploading ${planned.length} photos ...`)
  const ready = await uploadPhotos(context, accounts, planned)
  const before = beforeDamage(planned)
  const damaged = before ? [await uploadDamagedPhoto(context, accounts, before)] : []
  await context.waitUntilProcessed()
  return { ready, damaged }
}

function reportOf({ publicUrl, deps: { config } }: FillContext, accounts: DemoAccounts, photos: number): string {
  const lines = personNames.map((name) => {
    const { email, password } = accounts[name]
    return `  ${email.padEnd(28)} ${password}   ${people[name].situation}`
  })
  const folder = config.databaseUrl === undefined ? `the folder ${config.dataDir}` : 'the database of DATABASE_URL'
  return [
    `Filled with ${photos} photos. Sign in at ${publicUrl}/login with an email address and its password; they are shown this once:`,
    ...lines,
    'None of them is an admin: grant-admin EMAIL makes one. No email is ever sent to addresses that end in .example.',
    `To remove everything, stop the server and delete ${folder}.`,
  ].join('\n')
}

/** Fills an empty instance so that every screen has content; resolves to the text for the operator, with passwords. */
export async function fillInstance(context: FillContext): Promise<string> {
  const { deps, reportProgress, signal } = context
  const now = new Date()
  const accounts = await addAccounts(deps, context.passwordHashing)
  reportProgress(`Made ${personNames.length} accounts.`)
  await addPaidPlans(context, accounts)
  await addBrand(context, accounts)
  const { ready, damaged } = await addPhotos(context, accounts, now)
  signal.throwIfAborted()
  reportProgress('Adding guests, requests and reports of the last weeks ...')
  await addIntegrations(context, accounts.studio, ready)
  await addHistory(deps.db, { photos: ready, damaged, accounts, now })
  await changeAccount(deps.db, accounts.closed.email, { is_active: false })
  return reportOf(context, accounts, ready.length + damaged.length)
}
