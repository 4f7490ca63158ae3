import { queryOptions } from '@tanstack/react-query'
import { loadImage } from '../../lib/load-image.ts'
import { modulesOfSvg } from './qr-code-svg.ts'

const codeTimeoutMs = 15_000
const pictureTimeoutMs = 60_000

/** The modules of the code that the server draws; the same as on every other page. */
export const codeQuery = (svgUrl: string) =>
  queryOptions({
    queryKey: ['print', 'code', svgUrl],
    async queryFn() {
      const response = await fetch(svgUrl, { credentials: 'omit', signal: AbortSignal.timeout(codeTimeoutMs) })
      if (!response.ok) throw new Error(`the code answered ${response.status}`)
      return modulesOfSvg(await response.text())
    },
    staleTime: Infinity,
    retry: 1,
  })

/** A picture, decoded. `name` stays the same when its signed URL changes. */
export const pictureQuery = (name: string, url: string | null) =>
  queryOptions({
    queryKey: ['print', 'picture', name],
    async queryFn() {
      const image = url === null ? null : await loadImage(url, pictureTimeoutMs)
      if (!image) throw new Error('the picture could not be loaded')
      return image
    },
    enabled: url !== null,
    staleTime: Infinity,
    retry: false,
  })
