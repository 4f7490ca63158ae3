import type { ApiExample } from '@keepsnap/contract/api-docs.ts'
import { accessOf } from '@keepsnap/contract/endpoint.ts'
import { faultStatus, type FaultCode, type FieldError } from '@keepsnap/contract/errors.ts'
import { customerApiLimits } from '@keepsnap/contract/limits.ts'
import type { PublicCall } from '@keepsnap/contract/public-api.ts'
import { noApiAccess, invalidApiKey } from '../../faults.ts'

interface Refusal {
  when: string
  whatToDo: string
  detail: string | FieldError[]
}

/** Every error of the public API: when it happens, what a client should do, and an example. */
const refusals = {
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

export const refusalCodes = Object.keys(refusals) as ApiRefusalCode[] // the type of the object above

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
