import { productName } from '@keepsnap/contract/site.ts'

/** The symbol: a QR finder pattern that looks like a lens. Use it at 16 px or more. */
export function LogoMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path
        className="logo-ring"
        fillRule="evenodd"
        d="M11 2h10a9 9 0 0 1 9 9v10a9 9 0 0 1-9 9H11a9 9 0 0 1-9-9V11a9 9 0 0 1 9-9Zm.5 4A5.5 5.5 0 0 0 6 11.5v9a5.5 5.5 0 0 0 5.5 5.5h9a5.5 5.5 0 0 0 5.5-5.5v-9A5.5 5.5 0 0 0 20.5 6Z"
      />
      <rect className="logo-core" x="10" y="10" width="12" height="12" rx="4.6" />
      <circle className="logo-glint" cx="18.7" cy="13.3" r="1.5" />
    </svg>
  )
}

/** Symbol and name. Belongs inside a link to the home page. */
export function Logo() {
  return (
    <>
      <LogoMark />
      <span translate="no">{productName}</span>
    </>
  )
}
