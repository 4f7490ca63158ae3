import { useMediaQuery } from '../../../lib/media-query.ts'

/** Phones and small windows: the media queries of latest.css for phones in portrait and in landscape. */
const phoneScreen =
  '(max-width: 47.99rem), (orientation: portrait) and (max-height: 59.99rem), (max-width: 69.99rem) and (max-height: 34rem)'

/** Whether the window is as small as a phone's. */
export const useIsPhone = (): boolean => useMediaQuery(phoneScreen)
