import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import {
  sendSupportMessage,
  supportFields,
  supportProblems,
  supportReceived,
  type SupportFields,
  type SupportProblems,
} from '@keepsnap/contract/support.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame } from '../../domain/guest-page-props.ts'
import { Fault } from '../../faults.ts'
import { sendGuestPage } from '../../http/guest-pages.ts'
import { languageOf } from '../../http/language.ts'
import type { Serve } from '../../http/serve.ts'
import { supportFieldsOf } from './message-fields.ts'
import { receiveMessage, type MessageSender, type SupportDependencies } from './receive-message.ts'

type RouteDependencies = SupportDependencies & Pick<Dependencies, 'guestRenderer'>

/** The contact form of the support page: as a call of the page, and as a form of browsers without JavaScript. */
export function supportRoutes(serve: Serve, deps: RouteDependencies): void {
  serve(sendSupportMessage, async ({ body }, { actor, req, reply, client }) => {
    const sender: MessageSender = {
      userId: actor?.userId,
      client,
      filledHoneypot: Boolean(body.website),
      language: languageOf(req),
    }
    const fields = supportFieldsOf(body)
    const isJson = (req.headers['content-type'] ?? '').toLowerCase().startsWith('application/json')
    if (isJson) await receiveMessage(deps, fields, sender)
    else {
      const { page, status } = await answerForm(deps, fields, sender)
      const frame = guestFrame(deps.config.publicUrl, pages.support)
      await sendGuestPage(reply, deps.guestRenderer, { page, frame, status })
    }
    return { detail: supportReceived }
  })
}

type SupportAnswer = { page: Extract<GuestPage, { page: 'support' }>; status: number }

/** Receives the message of a form; the page to show. */
async function answerForm(
  deps: RouteDependencies,
  fields: SupportFields,
  sender: MessageSender,
): Promise<SupportAnswer> {
  const answer = { page: 'support', fields, problems: {}, problem: null } as const
  try {
    await receiveMessage(deps, fields, sender)
    return { page: { ...answer, state: 'sent' }, status: 200 }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { detail, status } = error
    if (typeof detail === 'string') return { page: { ...answer, state: 'failed', problem: detail }, status }
    return { page: { ...answer, state: 'bad', problems: problemsOf(fields, detail) }, status }
  }
}

/** The refused fields; `form` for an address that only the server recognizes as invalid. */
function problemsOf(fields: SupportFields, errors: { loc: (string | number)[] }[]): SupportProblems {
  const refused = supportFields.filter((field) => errors.some(({ loc }) => loc[1] === field))
  const problems = supportProblems(fields)
  return Object.fromEntries(refused.map((field) => [field, problems[field] ?? 'form']))
}
