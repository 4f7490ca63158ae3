import { accessOf, type Reply } from '@keepsnap/contract/endpoint.ts'
import type { CodeSample, WebhookEvent, ApiExample } from '@keepsnap/contract/integrations.ts'
import { eventGone } from '@keepsnap/contract/events.ts'
import { exampleOf, exampleValues as value } from '@keepsnap/contract/examples.ts'
import type { PublicCall, PublicCallId, publicCalls } from '@keepsnap/contract/public-api.ts'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { AdminUser } from '@keepsnap/contract/operators.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { type FieldError, type FaultCode, faultStatus } from '@keepsnap/contract/errors.ts'
import { invalidApiKey, noApiAccess } from '../../faults.ts'
import { customerApiLimits } from '@keepsnap/contract/limits.ts'

/** What the TypeScript samples call a reply, or its fields. */
const replyNames: Record<PublicCallId, string> = {
  uploadPhoto: 'photo',
  listPhotos: '{ photos, total }',
  getLatestPhoto: 'photo',
  getUser: 'user',
  getHealth: '{ status }',
  listUsers: '{ users, total }',
  getStats: 'stats',
  getUserDetail: 'user',
}

/** The variable of the environment with the key; undefined for a public call. */
function keyVariableOf({ endpoint }: PublicCall): string | undefined {
  const access = accessOf(endpoint)
  if (access.includes('public')) return undefined
  return access.includes('admin') ? 'KEEPSNAP_ADMIN_KEY' : 'KEEPSNAP_KEY'
}

/** The URL of the example, with the parts of its query that name a page. */
function sampleUrl({ endpoint }: PublicCall, origin: string): string {
  const { params = {}, query = {} } = exampleOf(endpoint)
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const page = Object.entries(query).filter(([name]) => name === 'skip' || name === 'limit')
  const search = new URLSearchParams(page.map(([name, one]): [string, string] => [name, String(one)])).toString()
  return `${origin}${path}${search && `?${search}`}`
}

function curlSample(call: PublicCall, origin: string): string {
  const key = keyVariableOf(call)
  const url = sampleUrl(call, origin)
  const { file } = exampleOf(call.endpoint)
  const lines = [
    ...(key ? [`-H "X-API-Key: $${key}"`] : []),
    ...(file ? [`-F "file=@${file}"`] : []),
    url.includes('?') ? `"${url}"` : url,
  ]
  return `curl ${lines.join(' \\\n     ')}`
}

function typeScriptSample(call: PublicCall & { id: PublicCallId }, origin: string): string {
  const key = keyVariableOf(call)
  const { file } = exampleOf(call.endpoint)
  const options = [
    ...(file ? ['  method: "POST",', '  body: form,'] : []),
    ...(key ? [`  headers: { "X-API-Key": process.env.${key}! },`] : []),
  ]
  return [
    ...(file
      ? [
          'import { openAsBlob } from "node:fs";',
          '',
          'const form = new FormData();',
          `form.set("file", await openAsBlob("${file}"), "${file}");`,
          '',
        ]
      : []),
    `const response = await fetch("${sampleUrl(call, origin)}"${options.length ? ', {' : ');'}`,
    ...(options.length ? [...options, '});'] : []),
    'if (!response.ok) throw new Error(await response.text());',
    `const ${replyNames[call.id]} = await response.json();`,
  ].join('\n')
}

/** A call as curl and as TypeScript, ready to run with a key in the environment. */
export const codeSamples = (call: PublicCall & { id: PublicCallId }, origin: string): CodeSample[] => [
  { lang: 'Shell', label: 'curl', source: curlSample(call, origin) },
  { lang: 'TypeScript', label: 'TypeScript', source: typeScriptSample(call, origin) },
]

type ReplyOf<Id extends PublicCallId> = Reply<Extract<(typeof publicCalls)[number], { id: Id }>['endpoint']>
export type ReplyExamples = { [Id in PublicCallId]: ReplyOf<Id> }

const [takenAt, readyAt] = ['2026-11-14T21:41:07.310Z', '2026-11-14T21:41:08.204Z']

const uploadedPhoto = (origin: string): Photo => ({
  id: value.photo,
  filename: 'IMG_4374.jpg',
  b2_url: null,
  screen_url: null,
  thumbnail_url: null,
  qr_code_url: `${origin}/qr/d/${value.directCode}`,
  email_qr_code_url: `${origin}/qr/r/${value.photo}`,
  created_at: takenAt,
  processing: true,
  processing_complete: false,
  processing_failed: false,
  error_message: null,
  can_retry: false,
  width: 6000,
  height: 4000,
  thumbhash: null,
  hidden: false,
  operator_decision: null,
  size_bytes: null,
})
const readyPhoto = (origin: string): Photo => ({
  ...uploadedPhoto(origin),
  b2_url: `${origin}/media/${value.fullImageCode}?s=${value.signature}`,
  screen_url: `${origin}/screen/${value.fullImageCode}?s=${value.screenSignature}`,
  thumbnail_url: `${origin}/t/${value.thumbnailCode}`,
  processing: false,
  processing_complete: true,
  thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  size_bytes: 7_340_032,
})

const account = (origin: string): AdminUser => ({
  id: value.user,
  username: 'fotohuis',
  email: value.email,
  subscription_tier: 'pro',
  logo_url: `${origin}/b/${value.logoCode}`,
  background_image_url: null,
  use_logo_as_watermark: true,
  ask_email_to_receive_photo: false,
  allow_marketing_emails: false,
  allow_promotional_emails: false,
  is_admin: false,
  is_active: true,
  created_at: '2026-03-03T09:12:44.000Z',
  became_subscriber_at: '2026-03-03T09:20:10.000Z',
  photo_count: 742,
})
const user = (origin: string): User => ({
  ...account(origin),
  email_verified: true,
  logo_grounds: { light: 'none', dark: 'paper', stage: 'none' },
  watermark_size: 'medium',
  watermark_corner: 'bottom-right',
  watermark_strength: 'medium',
  brand_name: 'Fotohuis',
  time_zone: 'Europe/Brussels',
  language: 'nl',
  slow_show_minutes: 0,
  allow_request_removal_emails: true,
  first_visit: false,
})

/** The reply of each call. */
export const replyExamples = (origin: string): ReplyExamples => ({
  uploadPhoto: uploadedPhoto(origin),
  listPhotos: { photos: [readyPhoto(origin)], total: 248, skip: 0, limit: 50 },
  getLatestPhoto: readyPhoto(origin),
  getUser: user(origin),
  getHealth: { status: 'ok', timestamp: readyAt },
  listUsers: { users: [account(origin)], total: 318, skip: 0, limit: 50 },
  getStats: {
    total_users: 318,
    active_users: 315,
    total_photos: 48_211,
    subscription_breakdown: { free: 240, pro: 78 },
    recent_activity: { new_photos_30d: 6_904 },
  },
  getUserDetail: {
    ...account(origin),
    subscription: { plan_name: 'Pro Yearly', status: 'active', current_period_end: '2027-03-03T09:20:10.000Z' },
    usage: { photos_this_month: 742, storage_used_mb: 44_646.5 },
  },
})

const eventPhoto = { photo_id: value.photo, filename: 'IMG_4374.jpg' }
/** The body of each event. */
export const eventExamples: { [Type in WebhookEvent['type']]: Extract<WebhookEvent, { type: Type }> } = {
  'photo.ready': { type: 'photo.ready', timestamp: readyAt, data: { ...eventPhoto, created_at: takenAt } },
  'photo.failed': {
    type: 'photo.failed',
    timestamp: readyAt,
    data: { ...eventPhoto, created_at: takenAt, error_message: 'This image is damaged. Please upload it again.' },
  },
  'photo.deleted': { type: 'photo.deleted', timestamp: readyAt, data: eventPhoto },
  'request.created': {
    type: 'request.created',
    timestamp: readyAt,
    data: { ...eventPhoto, request_id: value.request, requested_at: readyAt },
  },
  'webhook.test': { type: 'webhook.test', timestamp: readyAt, data: { webhook_id: value.webhook } },
}

const shell = `# SECRET is whsec_...; ID, TIMESTAMP and SIGNATURE are the three headers.
key=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
expected=$(printf %s "$ID.$TIMESTAMP.$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
case " $SIGNATURE " in *" v1,$expected "*) echo genuine ;; *) echo forged ;; esac`

const typeScript = `import { createHmac, timingSafeEqual } from "node:crypto";

/** body: the text of the request as it arrived. secret: whsec_... */
export function isGenuine(headers: Headers, body: string, secret: string): boolean {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map(
    (name) => headers.get("webhook-" + name) ?? "",
  );
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key)
    .update(id + "." + timestamp + "." + body)
    .digest();
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  return isFresh && signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`

/** How a receiver checks the signature of an event. */
export const verificationSamples: CodeSample[] = [
  { lang: 'Shell', label: 'Shell', source: shell },
  { lang: 'TypeScript', label: 'TypeScript', source: typeScript },
]

interface Refusal {
  when: string
  whatToDo: string
  detail: string | FieldError[]
}

/** Every error of the public API: when it happens, what a client should do, and an example. */
export const refusals = {
  bad_request: {
    when: 'The request is malformed, or ended early',
    whatToDo: 'Send it again, as multipart with the file in the field “file”.',
    detail: 'The form could not be read: it is malformed or incomplete.',
  },
  unauthorized: {
    when: 'The key is missing, wrong, deleted or expired',
    whatToDo: 'Check the header. Do not repeat the call with the same key.',
    detail: invalidApiKey().detail,
  },
  forbidden: {
    when: 'The plan has no API access now',
    whatToDo: 'API access needs Pro Yearly. The same key works again after an upgrade.',
    detail: noApiAccess().detail,
  },
  quota_photos: {
    when: 'The photos of this month are used up',
    whatToDo: 'Keep the file and upload it next month, or after an upgrade.',
    detail:
      "Your plan, Pro Yearly, includes 1000 photos a month, and you've used them all. The next month starts on the 1st (UTC). Please contact us if you need more.",
  },
  quota_storage: {
    when: 'The storage of the plan is full',
    whatToDo: 'Keep the file, and upload it when photos have been deleted.',
    detail:
      'Your plan, Pro Yearly, includes 50 GB of storage, and this photo no longer fits. Delete photos you no longer need. Please contact us if you need more.',
  },
  not_found: {
    when: 'There is no such photo or user',
    whatToDo: 'Check the id; deleted photos are gone for good.',
    detail: 'No photos found. Upload your first photo!',
  },
  conflict: {
    when: 'An upload with this Idempotency-Key is in progress, or its photo has been deleted since',
    whatToDo: 'Wait as many seconds as Retry-After says. Without that header, use another value.',
    detail: 'An upload with this Idempotency-Key is still in progress.',
  },
  event_gone: {
    when: 'The event that the key is bound to was deleted',
    whatToDo: 'Keep the file. The same key works again when the event is brought back.',
    detail: eventGone,
  },
  too_large: {
    when: 'The file, or its number of pixels, is larger than allowed',
    whatToDo: 'Make the image smaller.',
    detail: 'This file is larger than 100 MB, the limit of your plan, Pro Yearly. Reduce its size and try again.',
  },
  not_an_image: {
    when: 'The file is not an image, whatever its name says',
    whatToDo: 'Do not send it again.',
    detail: 'This file is not a photo we can read. Please choose a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.',
  },
  invalid: {
    when: 'A field is wrong or unknown, or an Idempotency-Key was used for another file',
    whatToDo: 'Each entry of detail names a field or header and says what is wrong with it.',
    detail: [{ loc: ['query', 'limit'], msg: `must be <= ${customerApiLimits.pageMax}` }],
  },
  rate_limited: {
    when: 'Too many calls in a minute',
    whatToDo: 'Wait as many seconds as Retry-After says.',
    detail: 'Rate limit exceeded',
  },
  processing_limit: {
    when: 'Too many of your files that take long to process are waiting, which does not affect plain JPEGs; or files that failed took ten minutes today',
    whatToDo: 'Wait as many seconds as Retry-After says.',
    detail:
      'Many of your files that take long to process are waiting. Please upload this one again in a minute. Ordinary JPEG photos are still accepted.',
  },
  internal: {
    when: 'A mistake of ours',
    whatToDo: 'Try again later; if it persists, quote the reference.',
    detail: 'Something went wrong on our side. Please try again; if the problem persists, quote this reference: req-1x',
  },
  unavailable: {
    when: 'The service is busy, or being updated',
    whatToDo: 'Wait as many seconds as Retry-After says. Uploads with an Idempotency-Key can be repeated safely.',
    detail: 'The service is busy right now. Please try again.',
  },
} as const satisfies Partial<Record<FaultCode, Refusal>>

/** The error codes that the document explains. */
export type ApiRefusalCode = keyof typeof refusals

export const refusalCodes = Object.keys(refusals) as ApiRefusalCode[]

// the type of the object above

/** An error as an OpenAPI example; `detail` replaces its usual text. */
export function refusalExample(code: ApiRefusalCode, detail: Refusal['detail'] = refusals[code].detail): ApiExample {
  const { when, whatToDo } = refusals[code]
  return { summary: when, description: whatToDo, value: { code, detail } }
}

/** The error codes of a call, by HTTP status. */
export function refusalsOf({ endpoint, faults }: PublicCall): Map<string, ApiRefusalCode[]> {
  const access = accessOf(endpoint)
  const codes = new Set<FaultCode>([
    ...(access.includes('public') ? [] : (['unauthorized'] as const)),
    ...(access.includes('public') || access.includes('admin') ? [] : (['forbidden'] as const)),
    ...(endpoint.query || endpoint.params ? (['invalid'] as const) : []),
    ...(endpoint.rate ? (['rate_limited'] as const) : []),
    ...faults,
    ...(access.includes('public') ? [] : (['internal', 'unavailable'] as const)),
  ])
  const byStatus = new Map<string, ApiRefusalCode[]>()
  for (const code of refusalCodes.filter((one) => codes.has(one))) {
    const status = String(faultStatus[code])
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}
