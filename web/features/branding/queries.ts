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
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, isTransient } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { currentUserQuery, useApi } from '../../lib/app-services.tsx'

/** The two images of a brand. */
export type BrandImage = 'logo' | 'background'

export const brandImageUrl = (user: User, kind: BrandImage): string | null =>
  kind === 'logo' ? user.logo_url : user.background_image_url

const brandFields = (kind: BrandImage, url: string | null): Partial<User> =>
  kind === 'logo' ? { logo_url: url } : { background_image_url: url }

/** Writes the new URL, or null after a deletion, into the cached user. */
function useUpdateBrand(kind: BrandImage): (url: string | null) => Promise<void> {
  const { queryKey } = currentUserQuery(useApi())
  const queryClient = useQueryClient()
  return async (url) => {
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData<User>(queryKey, (user) => user && { ...user, ...brandFields(kind, url) })
    void queryClient.invalidateQueries({ queryKey: brandKeys.all })
  }
}

export function useUploadBrandImage(kind: BrandImage) {
  const api = useApi()
  const updateBrand = useUpdateBrand(kind)
  return useMutation({
    mutationFn: (file: File) => api.upload(kind === 'logo' ? uploadLogo : uploadBackground, file),
    onSuccess: ({ url }) => updateBrand(url),
  })
}

export function useDeleteBrandImage(kind: BrandImage) {
  const api = useApi()
  const queryClient = useQueryClient()
  const updateBrand = useUpdateBrand(kind)
  return useMutation({
    mutationFn: () => api.call(kind === 'logo' ? deleteLogo : deleteBackground, {}),
    onSuccess: () => updateBrand(null),
    // Another tab may have deleted the image: the user is fetched again.
    onError: () => queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey }),
  })
}

/** Whether the deletion failed only because the file was missing from the store. */
export const isMissingFromStorage = (error: unknown): boolean =>
  error instanceof ApiError && /bad.?file.?id/i.test(error.sentence ?? '')

const brandKeys = { all: ['brand'] as const, preview: ['brand', 'preview'] as const, run: ['brand', 'run'] as const }

/** The newest photo with the logo on it; null when there is no photo to show. */
export const watermarkPreviewQuery = (api: Api, { watermark_size, watermark_corner, watermark_strength }: User) =>
  queryOptions({
    queryKey: [...brandKeys.preview, watermark_size, watermark_corner, watermark_strength],
    async queryFn({ signal }): Promise<Blob | null> {
      try {
        return await api.bytes(watermarkPreview, {}, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    staleTime: 60_000,
    retry: (failures, error) => failures < 1 && isTransient(error),
  })

const watermarkPollMs = 2_000

export const isRunActive = (run: WatermarkRun | undefined): boolean =>
  run?.state === 'running' || run?.state === 'stopping'

/** Progress of the watermark run on existing photos; polled every two seconds while it is running. */
export const watermarkRunQuery = (api: Api) =>
  queryOptions({
    queryKey: brandKeys.run,
    queryFn: ({ signal }) => api.call(watermarkRun, {}, { signal }),
    refetchInterval: ({ state }) => (isRunActive(state.data) ? watermarkPollMs : false),
    retry: (failures, error) => failures < 1 && isTransient(error),
  })

function useUpdateRun() {
  const queryClient = useQueryClient()
  return async (run: WatermarkRun): Promise<void> => {
    await queryClient.cancelQueries({ queryKey: brandKeys.run })
    queryClient.setQueryData<WatermarkRun>(brandKeys.run, run)
  }
}

export function useStartRun() {
  const api = useApi()
  const updateRun = useUpdateRun()
  return useMutation({
    mutationFn: (what: 'apply' | 'undo') => api.call(startWatermarkRun, { body: { what } }),
    onSuccess: updateRun,
  })
}

export function useStopRun() {
  const api = useApi()
  const updateRun = useUpdateRun()
  return useMutation({ mutationFn: () => api.call(stopWatermarkRun, {}), onSuccess: updateRun })
}
