import type { User } from '@keepsnap/contract/accounts.ts'
import {
  deleteBackground,
  deleteLogo,
  startWatermarkRun,
  stopWatermarkRun,
  uploadBackground,
  uploadLogo,
  watermarkPreview,
  watermarkRun,
  type WatermarkRun,
} from '@keepsnap/contract/branding.ts'
import { planIds, plans, tierOf } from '@keepsnap/contract/plans.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, isTransient } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { currentUserQuery } from '../../lib/current-user.ts'
import { useApi } from '../../lib/app-services.tsx'

/** The two pictures of a brand. */
export type BrandImage = 'logo' | 'background'

/** Whether a person of this tier may have a logo and a background. */
export const hasBranding = (tier: User['subscription_tier']): boolean =>
  planIds.some((id) => tierOf(id) === tier && plans[id].features.custom_branding)

export const brandImageUrl = (user: User, part: BrandImage): string | null =>
  part === 'logo' ? user.logo_url : user.background_image_url

const brandFacts = (part: BrandImage, address: string | null): Partial<User> =>
  part === 'logo' ? { logo_url: address } : { background_image_url: address }

/** Writes a new address, or that there is none, into what is known of the user. */
function useBrandChange(part: BrandImage): (address: string | null) => Promise<void> {
  const { queryKey } = currentUserQuery(useApi())
  const queries = useQueryClient()
  return async (address) => {
    await queries.cancelQueries({ queryKey })
    queries.setQueryData<User>(queryKey, (user) => user && { ...user, ...brandFacts(part, address) })
    void queries.invalidateQueries({ queryKey: brandKeys.all })
  }
}

export function useUploadBrandImage(part: BrandImage) {
  const api = useApi()
  const change = useBrandChange(part)
  return useMutation({
    mutationFn: (file: File) => api.upload(part === 'logo' ? uploadLogo : uploadBackground, file),
    onSuccess: ({ url }) => change(url),
  })
}

export function useDeleteBrandImage(part: BrandImage) {
  const api = useApi()
  const queries = useQueryClient()
  const change = useBrandChange(part)
  return useMutation({
    mutationFn: () => api.call(part === 'logo' ? deleteLogo : deleteBackground, {}),
    onSuccess: () => change(null),
    // Gone already, perhaps, by another window: the profile knows.
    onError: () => queries.invalidateQueries({ queryKey: currentUserQuery(api).queryKey }),
  })
}

/** Whether the refusal to delete says no more than that the file was not there; spec section 8. */
export const isMissingFromStorage = (error: unknown): boolean =>
  error instanceof ApiError && /bad.?file.?id/i.test(error.explanation ?? '')

const brandKeys = { all: ['brand'] as const, preview: ['brand', 'preview'] as const, run: ['brand', 'run'] as const }

/** The newest photo with the logo on it; null when there is no photo to show. */
export const watermarkPreviewQuery = (api: Api) =>
  queryOptions({
    queryKey: brandKeys.preview,
    async queryFn({ signal }): Promise<Blob | null> {
      try {
        return await api.bytes(watermarkPreview, {}, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    staleTime: 60_000,
    retry: (failed, error) => failed < 1 && isTransient(error),
  })

const pollMs = 2_000

export const isActive = (run: WatermarkRun | undefined): boolean =>
  run?.state === 'running' || run?.state === 'stopping'

/** How far the watermark has got on existing photos; asked every two seconds while it is being put on or taken off. */
export const watermarkRunQuery = (api: Api) =>
  queryOptions({
    queryKey: brandKeys.run,
    queryFn: ({ signal }) => api.call(watermarkRun, {}, { signal }),
    refetchInterval: ({ state }) => (isActive(state.data) ? pollMs : false),
    retry: (failed, error) => failed < 1 && isTransient(error),
  })

function useRunChange() {
  const queries = useQueryClient()
  return async (run: WatermarkRun): Promise<void> => {
    await queries.cancelQueries({ queryKey: brandKeys.run })
    queries.setQueryData<WatermarkRun>(brandKeys.run, run)
  }
}

export function useStartRun() {
  const api = useApi()
  const change = useRunChange()
  return useMutation({
    mutationFn: (what: 'apply' | 'undo') => api.call(startWatermarkRun, { body: { what } }),
    onSuccess: change,
  })
}

export function useStopRun() {
  const api = useApi()
  const change = useRunChange()
  return useMutation({ mutationFn: () => api.call(stopWatermarkRun, {}), onSuccess: change })
}
