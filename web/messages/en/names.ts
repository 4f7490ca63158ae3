import { apiKeyNameMessages, brandNameMessages, usernameMessages } from '@keepsnap/contract/names.ts'

/** Why a text cannot be a name. */
export const names = { brandName: brandNameMessages, username: usernameMessages, apiKey: apiKeyNameMessages }
