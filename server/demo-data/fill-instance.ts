import { changeAccount } from '../features/accounts/operator-changes.ts'
import { drawBackground, drawLogo } from '../images/drawing/draw.ts'
import { addAccounts, type DemoAccounts } from './accounts.ts'
import { callApi } from './api-calls.ts'
import { planPhotos, type PlannedPhoto } from './evenings.ts'
import type { Filling } from './filling.ts'
import { addIntegrations } from './integrations.ts'
import { addPaidPlans } from './paid-plans.ts'
import { addPast } from './past.ts'
import { people, personNames } from './people.ts'
import { uploadDamagedPhoto, uploadPhotos, type DemoPhoto } from './photos.ts'

/** The logo, the background and the watermark of the studio, before its photos, which get the watermark. */
async function addBrand({ http, publicUrl }: Filling, { studio }: DemoAccounts): Promise<void> {
  const caller = { http, publicUrl, token: studio.token }
  const images = { logo: await drawLogo(), background: await drawBackground() }
  const logo = { bytes: images.logo, name: 'lumen-logo.png', type: 'image/png' }
  await callApi(caller, { method: 'POST', url: '/upload-logo', file: logo })
  const background = { bytes: images.background, name: 'lumen-background.jpg', type: 'image/jpeg' }
  await callApi(caller, { method: 'POST', url: '/upload-background', file: background })
  await callApi(caller, { method: 'PUT', url: '/user/settings', body: { use_logo_as_watermark: true } })
}

/** A photo in the middle of the last evening of the studio: the card was damaged there. Not the newest, which is on the big screen. */
const beforeDamage = (planned: readonly PlannedPhoto[]): PlannedPhoto | undefined =>
  planned
    .filter(({ owner }) => owner === 'studio')
    .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
    .at(3)

/** The photos that guests see, and one that could not be processed. */
async function addPhotos(
  filling: Filling,
  accounts: DemoAccounts,
  now: Date,
): Promise<{ ready: DemoPhoto[]; damaged: DemoPhoto[] }> {
  const planned = planPhotos(now, filling.size)
  filling.reportProgress(`Drawing and uploading ${planned.length} photos ...`)
  const ready = await uploadPhotos(filling, accounts, planned)
  const before = beforeDamage(planned)
  const damaged = before ? [await uploadDamagedPhoto(filling, accounts, before)] : []
  await filling.untilProcessed()
  return { ready, damaged }
}

function reportOf({ publicUrl, deps: { config } }: Filling, accounts: DemoAccounts, photos: number): string {
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

/** Fills an empty instance so that every screen can be judged full; the text for the operator, with the passwords. */
export async function fillInstance(filling: Filling): Promise<string> {
  const { deps, reportProgress, signal } = filling
  const now = new Date()
  const accounts = await addAccounts(deps, filling.passwordHashing)
  reportProgress(`Made ${personNames.length} accounts.`)
  await addPaidPlans(filling, accounts)
  await addBrand(filling, accounts)
  const { ready, damaged } = await addPhotos(filling, accounts, now)
  signal.throwIfAborted()
  reportProgress('Adding guests, requests and reports of the last weeks ...')
  await addIntegrations(filling, accounts.studio, ready)
  await addPast(deps.db, { photos: ready, damaged, accounts, now })
  await changeAccount(deps.db, accounts.closed.email, { is_active: false })
  return reportOf(filling, accounts, ready.length + damaged.length)
}
