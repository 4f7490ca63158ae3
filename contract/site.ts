import { Array, Boolean, Literal, Null, Object, String, Union, type Static } from 'typebox'
import { Analytics } from './analytics.ts'
import { endpoint } from './endpoint.ts'

/** Who runs this installation, from its settings (OPERATOR_*). */
export const Operator = Object({
  name: String(),
  address: String(),
  vat: String(),
  email: String(),
  /** One of these values, or `support_email`, is still the sample of the settings. */
  is_sample: Boolean(),
})

/** What public pages say about this installation. The same for everybody. */
export const SiteInfo = Object({
  operator: Operator,
  /** Who works on it and what they do (OPERATOR_TEAM); empty when the operator does not say. */
  team: Array(Object({ role: String(), name: String() })),
  /** Where people ask for help; the sample of the settings until an address is set. */
  support_email: String(),
  /** `smtp`: by a mail server. `outbox`: kept as files on the server. */
  emails: Union([Literal('smtp'), Literal('outbox')]),
  /** `demo`: a demonstration in which no money moves. `off`: plans are not sold here. */
  payments: Union([Literal('stripe'), Literal('demo'), Literal('off')]),
  /** Host of the store of photos, to which downloads are redirected; null: they are files on the server. */
  storage_host: Union([String(), Null()]),
  /** Where visits are counted when a visitor agrees; null: they are not. */
  analytics: Union([Analytics, Null()]),
})
export type SiteInfo = Static<typeof SiteInfo>

export const siteInfo = endpoint({
  method: 'GET',
  path: '/site',
  access: 'public',
  summary: 'Get what public pages say about this installation.',
  cacheMaxAgeSeconds: 60,
  reply: SiteInfo,
})
