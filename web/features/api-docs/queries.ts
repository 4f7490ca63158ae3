import { apiDocument, type ApiDocument } from '@keepsnap/contract/api-docs.ts'
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { isTransient } from '../../lib/api-errors.ts'

/** The server's OpenAPI document. It changes only with an update of the server. */
export const apiDocumentQuery = (api: Api) =>
  queryOptions({
    queryKey: ['api-document'],
    queryFn: async ({ signal }) => {
      const file = await api.bytes(apiDocument, {}, { signal })
      return JSON.parse(await file.text()) as ApiDocument // what the endpoint sends
    },
    staleTime: Infinity,
    retry: (failures, error) => failures < 1 && isTransient(error),
  })
