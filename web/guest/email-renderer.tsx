import type { ComponentProps, CSSProperties, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { LogoGround } from '@keepsnap/contract/accounts.ts'
import type { EmailContext } from '@keepsnap/contract/emails.ts'
import type { GuestRenderer } from '@keepsnap/contract/rendering.ts'
import { productName } from '@keepsnap/contract/site.ts'
import { emails, operatorEmails, storageEmails } from '../messages/en/emails.ts'
import { eventGrantEmails, eventRequestEmails } from '../messages/en/event-archive.ts'
import { helperEmails } from '../messages/en/event-helpers.ts'
import { LanguageProvider, type LocaleData, useText } from '../lib/i18n.tsx'
import { supportEmails } from '../messages/en/support.ts'
import { withdrawalEmails } from '../messages/en/withdrawal-emails.ts'
import { type EmailContent, emailContent } from './email-content.ts'
import type { FormatDateTime } from './date-time.ts'

/** Returns a function that renders emails in one language, as HTML and as plain text with the same content. */
export function createEmailRenderer(
  language: LocaleData,
  {
    formatDateTime,
    formatDate,
    formatMoment,
  }: Record<'formatDateTime' | 'formatDate' | 'formatMoment', FormatDateTime>,
): GuestRenderer['renderEmail'] {
  const text = language.text ?? {
    emails,
    storageEmails,
    operatorEmails,
    supportEmails,
    withdrawalEmails,
    eventGrantEmails,
    eventRequestEmails,
    helperEmails,
  }
  return (email, frame) => {
    const content = emailContent(email, {
      ...text,
      frame,
      format: language.format,
      at: (iso) => formatDateTime(iso, frame.timeZone),
      day: (iso) => formatDate(iso, frame.timeZone),
      moment: (iso) => formatMoment(iso, frame.timeZone),
    })
    const html = renderToStaticMarkup(
      <LanguageProvider language={language}>
        <EmailLayout lang={language.tag} content={content} frame={frame}>
          <EmailBody {...content} />
        </EmailLayout>
      </LanguageProvider>,
    )
    const { subject, sender } = content
    return {
      subject: singleLine(subject),
      ...(sender !== undefined && { senderName: singleLine(sender) }),
      html: `<!doctype html>${html}`,
      text: plainText(content, frame, text.emails),
    }
  }
}

// A value with line breaks could otherwise add lines of its own to the plain text.
const singleLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/** In plain text, the mark before each line keeps a quoted text apart from ours. */
const quotedLines = ({ title, text }: NonNullable<EmailContent['quote']>): string[] =>
  [title, '', ...text.split('\n')].map((line) => `> ${singleLine(line)}`.trimEnd())

/** The content as plain text; `text` has the sentences that every email ends with. */
function plainText(content: EmailContent, { operator }: EmailContext, text: typeof emails): string {
  const { heading, sender, paragraphs, pictures = [], quote, note, action, file, reason, unsubscribe } = content
  const footerDetails = [action?.expiry, file].filter((line) => line !== undefined).map(singleLine)
  return [
    heading,
    ...(sender === undefined ? [] : [singleLine(sender)]),
    '',
    ...paragraphs.flatMap((paragraph) => [singleLine(paragraph), '']),
    ...pictures.flatMap(({ label, url }) => [label, singleLine(url), '']),
    ...(quote ? [...quotedLines(quote), ''] : []),
    ...(note === undefined ? [] : [note, '']),
    ...(action ? [singleLine(action.url), ''] : []),
    ...(footerDetails.length > 0 ? [...footerDetails, ''] : []),
    '-- ',
    reason,
    '',
    ...(unsubscribe
      ? [unsubscribe.ignore, '', text.beforeLink(unsubscribe.link), singleLine(unsubscribe.url), '']
      : []),
    text.operator(singleLine(operator.name)),
    singleLine(operator.address),
    singleLine(operator.email),
    '',
  ].join('\n')
}

/** For images: without it, React adds a link to the head that preloads them. */
const noPreload = { fetchPriority: 'low' } as const

/** The largest size of a logo in pixels. */
const maxLogo = { width: 200, height: 72 }

/** A layout table, because mail programs do not support CSS grids. */
function Grid({ children, wide }: { children: ReactNode; wide?: boolean }) {
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} border={0} {...(wide && { width: '100%' })}>
      <tbody>{children}</tbody>
    </table>
  )
}

/** A cell of a layout table. */
function Cell(props: ComponentProps<'td'>) {
  return <td {...props} />
}

interface Props {
  lang: string
  content: EmailContent
  frame: EmailContext
  children: ReactNode
}

/**
 * The layout of every email. It loads nothing: no fonts and no tracking pixels; its images, the owner's logo and the
 * photo, are attached.
 */
function EmailLayout({ lang, content, frame, children }: Props) {
  const { subject, preview, logo } = content
  return (
    <html lang={lang}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: darkModeCss }} />
      </head>
      <body className="paper" style={styles.body}>
        <div style={styles.preview}>{preview}</div>
        <table role="presentation" cellPadding={0} cellSpacing={0} border={0} width="100%">
          <tbody>
            <tr>
              <Cell align="center" className="paper" style={styles.paper}>
                <table
                  role="presentation"
                  cellPadding={0}
                  cellSpacing={0}
                  border={0}
                  width="480"
                  style={styles.container}
                >
                  <tbody>
                    {logo ? <Logo {...logo} /> : <Brand />}
                    <tr>
                      <Cell className="card" style={styles.card}>
                        <Grid wide>
                          <tr>
                            <Cell className="card-content" style={styles.cardContent}>
                              {children}
                            </Cell>
                          </tr>
                        </Grid>
                      </Cell>
                    </tr>
                    <Footer operator={frame.operator} content={content} />
                  </tbody>
                </table>
              </Cell>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  )
}

/** The product's mark from two table cells, which are square in programs without rounded corners. */
function Brand() {
  return (
    <tr>
      <Cell style={styles.brand}>
        <Grid>
          <tr>
            <Cell className="logo-ring" style={styles.logoRing}>
              <Grid>
                <tr>
                  <Cell className="logo-core" style={styles.logoCore} width="14" height="14">
                    {' '}
                  </Cell>
                </tr>
              </Grid>
            </Cell>
            <Cell className="ink" style={styles.name} translate="no">
              {productName}
            </Cell>
          </tr>
        </Grid>
      </Cell>
    </tr>
  )
}

function Logo({ cid, width, height, ground }: NonNullable<EmailContent['logo']>) {
  const scale = Math.min(1, maxLogo.width / width, maxLogo.height / height)
  return (
    <tr>
      <Cell style={styles.brand}>
        <Grid>
          <tr>
            <Cell style={logoGroundStyles[ground]}>
              <img
                src={`cid:${cid}`}
                {...noPreload}
                alt=""
                width={Math.round(width * scale)}
                height={Math.round(height * scale)}
                style={styles.logo}
              />
            </Cell>
          </tr>
        </Grid>
      </Cell>
    </tr>
  )
}

function Footer({ operator, content }: { operator: EmailContext['operator']; content: EmailContent }) {
  const text = useText({ emails })
  const { reason, unsubscribe } = content
  return (
    <tr>
      <Cell className="ink2" style={styles.footer}>
        {reason}
        <br />
        <br />
        {unsubscribe && (
          <>
            {unsubscribe.ignore}
            <br />
            <br />
            <a className="ink2" href={unsubscribe.url} style={styles.footerLink}>
              {unsubscribe.link}
            </a>
            <br />
            <br />
          </>
        )}
        {text.operator(operator.name)}
        <br />
        <span translate="no">
          {operator.address}
          <br />
          {operator.email}
        </span>
      </Cell>
    </tr>
  )
}

/** The content of an email: a heading, a few sentences and at most one button. */
function EmailBody({ heading, sender, picture, paragraphs, pictures, quote, note, action }: EmailContent) {
  const text = useText({ emails })
  return (
    <>
      <h1 className="ink" style={styles.heading}>
        {heading}
      </h1>
      {sender !== undefined && (
        <p className="ink2" style={styles.sender}>
          {sender}
        </p>
      )}
      {picture && <Photo {...picture} url={action?.url} />}
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="ink" style={styles.lead}>
          {paragraph}
        </p>
      ))}
      {pictures && <Pictures pictures={pictures} />}
      {quote && <Quote {...quote} />}
      {note !== undefined && (
        <p className="ink" style={styles.lead}>
          {note}
        </p>
      )}
      {action && (
        <>
          <ActionButton {...action} />
          {action.expiry && (
            <p className="ink2" style={styles.small}>
              {action.expiry}
            </p>
          )}
          <p className="ink2" style={{ ...styles.small, ...(action.expiry && { paddingTop: 12 }) }}>
            {text.copyLink}
          </p>
          <p className="ink2" style={styles.url} translate="no">
            {action.url}
          </p>
        </>
      )}
    </>
  )
}

/** What somebody wrote, in their own lines and direction of writing. */
function Quote({ title, text }: NonNullable<EmailContent['quote']>) {
  return (
    <blockquote className="quote" style={styles.quote}>
      <p className="ink" dir="auto" style={styles.quoteTitle}>
        {title}
      </p>
      <p className="ink" dir="auto" style={styles.quoteText}>
        {text}
      </p>
    </blockquote>
  )
}

/** The largest size of the photo in pixels: the width of the card's content. */
const maxPhoto = { width: 414, height: 414 }

/** The photo, which leads to its page, like the button. */
function Photo({ cid, width, height, alt, url }: NonNullable<EmailContent['picture']> & { url: string | undefined }) {
  const scale = Math.min(1, maxPhoto.width / width, maxPhoto.height / height)
  return (
    <p style={styles.photo}>
      <a href={url}>
        <img
          src={`cid:${cid}`}
          {...noPreload}
          alt={alt}
          width={Math.round(width * scale)}
          height={Math.round(height * scale)}
          style={styles.photoImage}
        />
      </a>
    </p>
  )
}

/** The largest size of one of two pictures beside each other. */
const maxPicture = { width: 199, height: 199 }

/** Two beside each other, in columns of the same width; each leads to its page. */
function Pictures({ pictures }: { pictures: NonNullable<EmailContent['pictures']> }) {
  const rows = pictures.flatMap((_, at) => (at % 2 === 0 ? [pictures.slice(at, at + 2)] : []))
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} border={0} width="100%" style={styles.pictures}>
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]?.url}>
            {row.map(({ label, url, thumbnail }) => (
              <Cell key={url} width="50%" valign="bottom" style={styles.picture}>
                <a className="ink" href={url} style={styles.pictureLink}>
                  {thumbnail && <Thumbnail {...thumbnail} />}
                  {label}
                </a>
              </Cell>
            ))}
            {row.length === 1 && <Cell width="50%" />}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Its link has the words. */
function Thumbnail({ cid, width, height }: { cid: string; width: number; height: number }) {
  const scale = Math.min(1, maxPicture.width / width, maxPicture.height / height)
  return (
    <img
      src={`cid:${cid}`}
      {...noPreload}
      alt=""
      width={Math.round(width * scale)}
      height={Math.round(height * scale)}
      style={styles.photoImage}
    />
  )
}

function ActionButton({ button, url }: NonNullable<EmailContent['action']>) {
  return (
    <Grid wide>
      <tr>
        <Cell style={styles.buttonCell}>
          <Grid wide>
            <tr>
              <Cell className="action" align="center" style={styles.action}>
                <a className="on-action" href={url} style={styles.button}>
                  {button}
                </a>
              </Cell>
            </tr>
          </Grid>
        </Cell>
      </tr>
    </Grid>
  )
}

// Colours of styles/tokens.css, because mail programs do not support custom properties.
const lightTheme = {
  paper: '#faf7f2',
  card: '#ffffff',
  line: '#e6dfd3',
  ink: '#1c1a17',
  ink2: '#575047',
  accent: '#c8401a',
}
const darkTheme = {
  paper: '#161412',
  card: '#1f1c19',
  line: '#37322c',
  ink: '#f4efe7',
  ink2: '#bfb5a8',
  accent: '#ff8a5c',
}
const onAccent = { light: '#ffffff', dark: '#241008' }
const fontFamily = "'Instrument Sans', 'Segoe UI', Helvetica, Arial, sans-serif"

/** The dark theme. Programs without support for it show the light one. */
const darkModeCss = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background-color:${darkTheme.paper}!important}
.card{background-color:${darkTheme.card}!important;border-color:${darkTheme.line}!important}
.ink{color:${darkTheme.ink}!important}
.ink2{color:${darkTheme.ink2}!important}
.logo-ring{border-color:${darkTheme.ink}!important}
.logo-core,.action{background-color:${darkTheme.accent}!important}
.quote{border-color:${darkTheme.line}!important}
.on-action{color:${onAccent.dark}!important}
}
@media (max-width:520px){.card-content{padding:24px 20px!important}}`

const textStyle = (size: number, line: number): CSSProperties => ({
  margin: 0,
  fontFamily,
  fontSize: size,
  lineHeight: `${line}px`,
})

/** The ground of a logo, the same in both themes. Mail programs that darken emails on their own do not change a background image. */
const logoGround = (colour: string, line: string): CSSProperties => ({
  backgroundColor: colour,
  backgroundImage: `linear-gradient(${colour},${colour})`,
  border: `1px solid ${line}`,
  borderRadius: 8,
  padding: '10px 14px',
})

const logoGroundStyles: Record<LogoGround, CSSProperties> = {
  none: {},
  paper: logoGround(lightTheme.card, lightTheme.line),
  ink: logoGround(lightTheme.ink, darkTheme.line),
}

/** Inline styles, because some programs remove style sheets. */
const styles = {
  body: { margin: 0, padding: 0, backgroundColor: lightTheme.paper },
  paper: { backgroundColor: lightTheme.paper, padding: '32px 16px' },
  container: { width: '100%', maxWidth: 480 },
  preview: { display: 'none', maxHeight: 0, overflow: 'hidden', opacity: 0 },
  brand: { paddingBottom: 20 },
  logoRing: { width: 14, height: 14, padding: 2, border: `3px solid ${lightTheme.ink}`, borderRadius: 7 },
  logoCore: { width: 14, height: 14, backgroundColor: lightTheme.accent, borderRadius: 4, fontSize: 0, lineHeight: 0 },
  name: { ...textStyle(18, 24), paddingLeft: 10, color: lightTheme.ink, fontWeight: 700, letterSpacing: '-0.02em' },
  logo: { display: 'block', border: 0 },
  card: { backgroundColor: lightTheme.card, border: `1px solid ${lightTheme.line}`, borderRadius: 12 },
  cardContent: { padding: '32px 32px 28px' },
  heading: { ...textStyle(26, 32), color: lightTheme.ink, fontWeight: 700, letterSpacing: '-0.02em' },
  lead: { ...textStyle(16, 25), color: lightTheme.ink, paddingTop: 8 },
  sender: { ...textStyle(16, 24), color: lightTheme.ink2, paddingTop: 4, overflowWrap: 'anywhere' },
  quote: { margin: '16px 0 8px', padding: '4px 0 4px 16px', borderLeft: `3px solid ${lightTheme.line}` },
  quoteTitle: { ...textStyle(16, 25), color: lightTheme.ink, fontWeight: 700, overflowWrap: 'anywhere' },
  quoteText: {
    ...textStyle(16, 25),
    color: lightTheme.ink,
    paddingTop: 8,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  photo: { margin: 0, padding: '20px 0 8px', fontSize: 0, lineHeight: 0 },
  photoImage: {
    ...textStyle(14, 21),
    display: 'block',
    maxWidth: '100%',
    height: 'auto',
    border: 0,
    borderRadius: 8,
    color: lightTheme.ink2,
  },
  pictures: { tableLayout: 'fixed', margin: '12px -8px 0', width: 'calc(100% + 16px)' },
  picture: { padding: 8 },
  pictureLink: { ...textStyle(16, 28), display: 'block', color: lightTheme.ink },
  buttonCell: { padding: '24px 0 20px' },
  action: { backgroundColor: lightTheme.accent, borderRadius: 8, textAlign: 'center' },
  button: {
    ...textStyle(17, 22),
    display: 'block',
    padding: '15px 24px',
    color: onAccent.light,
    fontWeight: 700,
    textDecoration: 'none',
  },
  small: { ...textStyle(14, 21), color: lightTheme.ink2 },
  url: { ...textStyle(14, 21), color: lightTheme.ink2, wordBreak: 'break-all', paddingTop: 4 },
  footerLink: { color: lightTheme.ink2, textDecoration: 'underline' },
  footer: { ...textStyle(13, 20), color: lightTheme.ink2, padding: '20px 4px 0' },
} satisfies Record<string, CSSProperties>
