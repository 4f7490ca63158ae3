import { Array, Integer, Null, Object, Optional, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { apiKeyLimits } from './limits.ts'

const keyFields = {
  id: String(),
  name: String(),
  /** In full only in the answer that creates it; otherwise prefix and last four characters, such as `ksnap_...4f9c`. */
  key: String(),
  created_at: String(),
  /** Exact to a minute; null if it was never used. */
  last_used_at: Union([String(), Null()]),
  /** From when on it is refused; null if it does not expire. An expired key stays in the list until it is deleted. */
  expires_at: Union([String(), Null()]),
}

/** A customer's API key. Times are ISO 8601 in UTC. */
export const ApiKey = Object(keyFields)
export type ApiKey = Static<typeof ApiKey>

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/keys',
  access: 'user',
  summary: 'List your API keys, newest first.',
  reply: Array(ApiKey),
})
/**
 * 403 `confirm_password` unless the session signed in, or gave the password, within the last 10 minutes; 403 `forbidden` without
 * API access in the plan, and with an unconfirmed address where emails are sent by SMTP; 409 with the most keys that an account may have.
 */
export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/keys',
  access: 'user',
  rate: 'integrations',
  summary: 'Create an API key. This answer is the only one that contains the whole key.',
  body: Object(
    {
      /** Trimmed; `contract/names.ts` checks it. */
      name: String({ maxLength: 1024 }),
      /** Without it the key does not expire. */
      expires_in_days: Optional(Integer({ minimum: 1, maximum: apiKeyLimits.expiryDaysMax })),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: ApiKey,
})
/** Also without API access in the plan: an owner can always end what a key opens. */
export const deleteApiKey = endpoint({
  method: 'DELETE',
  path: '/api/keys/:id',
  access: 'user',
  rate: 'integrations',
  summary: 'Delete an API key. It stops working within a second.',
  params: Object({ id: String({ maxLength: 128 }) }),
  status: 204,
  reply: Null(),
})
/** Those that do not exist any more are ignored. */
export const deleteApiKeys = endpoint({
  method: 'POST',
  path: '/api/keys/revocation',
  access: 'user',
  rate: 'integrations',
  summary: 'Delete several API keys together.',
  body: Object(
    { ids: Array(String({ minLength: 8, maxLength: 128 }), { maxItems: apiKeyLimits.keysMax }) },
    { additionalProperties: false },
  ),
  status: 204,
  reply: Null(),
})
