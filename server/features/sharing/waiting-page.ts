/** Shown behind a direct code while its photo is processed; the answer's Refresh header loads it again. */
export const waitingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>Your photo · Keepsnap</title>
<style>
:root { color-scheme: light dark; --paper: #faf7f2; --ink: #1c1a17; --soft: #575047; --print: #fff; --blank: #efe9df; --core: #c8401a }
@media (prefers-color-scheme: dark) { :root { --paper: #161412; --ink: #f4efe7; --soft: #bfb5a8; --core: #ff8a5c } }
body { margin: 0; min-height: 100dvh; display: grid; place-content: center; justify-items: center; gap: 1.5rem; padding: 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; text-align: center }
figure { margin: 0; width: min(18rem, 80vw); padding: .75rem .75rem 3.5rem; background: var(--print); border-radius: 12px; box-shadow: 0 18px 40px -12px rgb(60 42 20 / .25) }
figure::before { content: ""; display: block; aspect-ratio: 3/2; border-radius: 4px; background: var(--blank); animation: breathe 1.6s ease-in-out infinite }
h1 { margin: 0; font-size: 1.44rem; letter-spacing: -.02em } p { margin: .25rem 0 0; color: var(--soft) }
@keyframes breathe { 50% { opacity: .55 } }
@media (prefers-reduced-motion: reduce) { figure::before { animation: none } }
</style>
</head>
<body>
<figure aria-hidden="true"></figure>
<main role="status"><h1>Your photo is almost ready</h1><p>It downloads by itself in a moment.</p></main>
</body>
</html>
`
