import type * as english from '../en/refusals.ts'

const refusedPhotos: typeof english.refusedPhotos = {
  // Photos and uploads.
  'This code does not exist.': 'Deze code bestaat niet.',
  'An event needs a code of its own. Please replace it with a new one instead.':
    'Een evenement heeft een eigen code nodig. Vervang ze door een nieuwe.',
  'An event has at most {} codes. Please revoke some of those for tables first.':
    'Een evenement heeft hoogstens {0} codes. Trek eerst enkele codes van tafels in.',
  'An event has at most {} helpers. Please remove one that has ended first.':
    'Een evenement heeft hoogstens {0} helpers. Verwijder eerst een helper van wie de toegang beëindigd is.',
  'This contributor does not exist.': 'Deze gast bestaat niet meer.',
  'This photo does not exist.': 'Deze foto bestaat niet.',
  'Photo not found': 'Deze foto is er niet meer',
  'No photos found. Upload your first photo!': 'Geen foto’s gevonden. Upload je eerste foto!',
  'This photo does not exist or is no longer shared.': 'Deze foto bestaat niet of wordt niet meer gedeeld.',
  'This file is not a photo we can read. Please choose a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.':
    'We kunnen dit bestand niet als foto lezen. Kies een JPG, PNG, GIF, WebP, AVIF, TIFF of HEIC.',
  'This file is not a photo we can read. Please upload a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.':
    'We kunnen dit bestand niet als foto lezen. Upload een JPG, PNG, GIF, WebP, AVIF, TIFF of HEIC.',
  'This file is empty. Please choose another one.': 'Dit bestand is leeg. Kies een ander.',
  'This image has more than {} megapixels, which is more than we can process. Please make it smaller and try again.':
    'Deze afbeelding heeft meer dan {0} megapixels, en dat is meer dan we kunnen verwerken. Verklein de afbeelding en probeer het opnieuw.',
  'This image has more than {} megapixels, which is more than we can process. Please make it smaller and upload it again.':
    'Deze afbeelding heeft meer dan {0} megapixels, en dat is meer dan we kunnen verwerken. Verklein de afbeelding en upload die opnieuw.',
  'This file is compressed or coloured in a way that is not supported. Please save it as JPG or PNG and upload it again.':
    'De compressie of kleuren van dit bestand worden niet ondersteund. Sla het op als JPG of PNG en upload het opnieuw.',
  'This animation is too long or too large. We can process up to {} frames, and {} megapixels over all frames. Please shorten it or make it smaller, and upload it again.':
    'Deze animatie is te lang of te groot. We kunnen hooguit {0} beelden verwerken, samen {1} megapixels. Maak de animatie korter of kleiner, en upload die opnieuw.',
  "We couldn't add your logo to this photo. Please upload the logo again in Settings, then retry the photo.":
    'We konden je logo niet op deze foto zetten. Upload het logo opnieuw bij Instellingen en probeer de foto daarna opnieuw.',
  'This SVG contains scripts, links, other files or embedded images. Please save it as a plain SVG or as PNG and upload it again.':
    'Deze SVG bevat scripts, links, andere bestanden of ingesloten afbeeldingen. Sla hem op als gewone SVG of als PNG en upload hem opnieuw.',
  'This SVG could not be rendered: it is damaged or too large for a logo. Please save it again, or as PNG, and upload it again.':
    'Deze SVG kan niet worden weergegeven: hij is beschadigd of te groot voor een logo. Sla hem opnieuw op, of als PNG, en upload hem opnieuw.',
  'This photo is damaged or incomplete. Please upload the original file again.':
    'Deze foto is beschadigd of onvolledig. Upload het originele bestand opnieuw.',
  'This photo took too long to process. Please save it again in a photo editor, or make it smaller, and upload it again.':
    'Het verwerken van deze foto duurde te lang. Sla hem opnieuw op in een fotoprogramma, of maak hem kleiner, en upload hem opnieuw.',
  'This photo needs too much memory to process. Please save it again in a photo editor, or make it smaller, and upload it again.':
    'Het verwerken van deze foto vraagt te veel geheugen. Sla hem opnieuw op in een fotoprogramma, of maak hem kleiner, en upload hem opnieuw.',
  'Something went wrong while processing this photo. Please upload it again.':
    'Er ging iets mis bij het verwerken van deze foto. Upload hem opnieuw.',
  'This file is larger than {} MB, the limit of your plan, {}. Reduce its size and try again.':
    'Dit bestand is groter dan {0} MB, de limiet van je abonnement ({1}). Maak het kleiner en probeer het opnieuw.',
  "Your plan, {}, includes {} photos a month, and you've used them all. The next month starts on the 1st (UTC). Upgrade for more.":
    'Je abonnement ({0}) omvat {1} foto’s per maand, en die heb je allemaal gebruikt. De volgende maand begint op de 1e (UTC). Upgrade voor meer.',
  "Your plan, {}, includes {} photos a month, and you've used them all. The next month starts on the 1st (UTC). Please contact us if you need more.":
    'Je abonnement ({0}) omvat {1} foto’s per maand, en die heb je allemaal gebruikt. De volgende maand begint op de 1e (UTC). Neem contact met ons op als je er meer nodig hebt.',
  'Your plan, {}, includes {} GB of storage, and this photo no longer fits. Delete photos you no longer need. Upgrade for more.':
    'Je abonnement ({0}) omvat {1} GB opslag, en deze foto past er niet meer bij. Verwijder foto’s die je niet meer nodig hebt, of upgrade voor meer.',
  'Your plan, {}, includes {} GB of storage, and this photo no longer fits. Delete photos you no longer need. Please contact us if you need more.':
    'Je abonnement ({0}) omvat {1} GB opslag, en deze foto past er niet meer bij. Verwijder foto’s die je niet meer nodig hebt, of neem contact met ons op als je meer nodig hebt.',
  'Many of your files that take long to process are waiting. Please upload this one again in a minute. Ordinary JPEG photos are still accepted.':
    'Er wachten veel bestanden van jou waarvan de verwerking lang duurt. Upload dit bestand over een minuut opnieuw. Gewone JPEG-foto’s kunnen wel.',
  'Today, photos of yours that could not be processed took {} minutes, which is the limit. Please upload this one tomorrow (UTC).':
    'Foto’s van jou die niet verwerkt konden worden, duurden vandaag samen {0} minuten. Dat is de limiet. Upload deze foto morgen (UTC).',
  'Too many uploads at once. Please wait for the others to finish.':
    'Te veel uploads tegelijk. Wacht tot de andere klaar zijn.',
  'Too many changes at once. Please wait for the others to finish.':
    'Te veel wijzigingen tegelijk. Wacht tot de andere klaar zijn.',
  'The upload took too long. Please try again.': 'Het uploaden duurde te lang. Probeer het opnieuw.',
  'The upload was too slow and was cancelled. Please try again on a better connection.':
    'Het uploaden ging te traag en is gestopt. Probeer het opnieuw met een betere verbinding.',
  'The connection closed before the upload finished.': 'De verbinding werd verbroken voordat het uploaden klaar was.',
  'This photo was already uploaded and has since been deleted.': 'Deze foto was al geüpload en is intussen verwijderd.',
  'Only photos whose processing failed can be retried.':
    'Alleen foto’s waarvan de verwerking mislukte, kunnen opnieuw geprobeerd worden.',
  'The uploaded file has been deleted. Please upload it again.':
    'Het geüploade bestand is verwijderd. Upload het opnieuw.',
  'Only a photo of yours that guests can see can be held.':
    'Je kunt alleen een eigen foto vasthouden die gasten kunnen zien.',
  'Your removed photos do not fit into the storage of your plan. Choose a larger plan, or delete photos you no longer need.':
    'Je verwijderde foto’s passen niet in de opslag van je abonnement. Kies een groter abonnement, of verwijder foto’s die je niet meer nodig hebt.',
  'There are no removed photos to put back.': 'Er zijn geen verwijderde foto’s om terug te zetten.',
  // Logo, background and watermark.
  'Your own logo and background are part of {}. Your plan is {}.':
    'Je eigen logo en achtergrond horen bij Pro. Jouw abonnement is {1}.',
  'This file is not an image we can read. Please choose a {} file.':
    'We kunnen dit bestand niet als afbeelding lezen. Kies een ander bestand ({0}).',
  'This file is larger than 10 MB. Reduce its size and try again.':
    'Dit bestand is groter dan 10 MB. Maak het kleiner en probeer het opnieuw.',
  'This is taking too long right now. Please try again.': 'Dit duurt nu te lang. Probeer het opnieuw.',
  'Something went wrong. Please upload it again.': 'Er ging iets mis. Upload het opnieuw.',
  'There is no {} to delete.': 'Er is niets om te verwijderen.',
  'Upload a logo first.': 'Upload eerst een logo.',
  'Your photos are already being processed. Wait for that to finish, or stop it.':
    'Je foto’s worden al verwerkt. Wacht tot dat klaar is, of stop het.',
  'There is no logo yet. Upload one to see it on a photo.':
    'Er is nog geen logo. Upload er een om het op een foto te zien.',
  'There is no photo yet. Upload one to see your logo on it.':
    'Er is nog geen foto. Upload er een om je logo erop te zien.',
  'The preview is taking too long right now. Please try again.': 'Het voorbeeld duurt nu te lang. Probeer het opnieuw.',
  'This photo no longer exists.': 'Deze foto bestaat niet meer.',
  'A preview is already in progress. Please wait for it.': 'Er wordt al een voorbeeld gemaakt. Wacht daar even op.',
}

export const refusals: typeof english.refusals = {
  general: 'Dat is niet gelukt. Probeer het opnieuw.',
  sentences: {
    ...refusedPhotos,
    // Accounts.
    'Please enter a valid email address': 'Vul een geldig e-mailadres in',
    'This is already your address': 'Dit is al je adres',
    'This email is already registered.': 'Er bestaat al een account met dit e-mailadres.',
    'Password must be at most {} characters long': 'Het wachtwoord mag hooguit {0} tekens lang zijn',
    'Password must be at least 8 characters long': 'Het wachtwoord moet minstens 8 tekens lang zijn',
    'Password must contain at least one uppercase letter': 'Het wachtwoord moet minstens één hoofdletter bevatten',
    'Password must contain at least one lowercase letter': 'Het wachtwoord moet minstens één kleine letter bevatten',
    'Password must contain at least one number': 'Het wachtwoord moet minstens één cijfer bevatten',
    'Password must contain at least one special character': 'Het wachtwoord moet minstens één speciaal teken bevatten',
    'Please confirm your email address first. The link is in the email we sent you.':
      'Bevestig eerst je e-mailadres. De link staat in de e-mail die we je hebben gestuurd.',
    'Many people use this password. Choose one that others do not use.':
      'Veel mensen gebruiken dit wachtwoord. Kies er een dat anderen niet gebruiken.',
    'Too many attempts for this account. Please wait {} {} and try again.':
      'Te veel pogingen voor dit account. Wacht {0} s en probeer het opnieuw.',
    'Too many requests. Please wait {} {} and try again.':
      'Te veel verzoeken na elkaar. Wacht {0} s en probeer het opnieuw.',
    'Several emails have already been sent to this address. Please try again in an hour.':
      'Er zijn al verschillende e-mails naar dit adres gestuurd. Probeer het over een uur opnieuw.',
    'Several test emails have been sent already. Please try again in an hour.':
      'Er zijn al verschillende testmails verstuurd. Probeer het over een uur opnieuw.',
    'Your email address is already confirmed.': 'Je e-mailadres is al bevestigd.',
    'Invalid or expired reset token. Please request a new password reset link.':
      'Deze link is ongeldig of verlopen. Vraag een nieuwe link aan om je wachtwoord te wijzigen.',
    'This link has expired or has already been used. Sign in and ask for a new one in Settings.':
      'Deze link is verlopen of al gebruikt. Log in en vraag bij Instellingen een nieuwe aan.',
    'Too many sign-ins right now. Please try again.': 'Er loggen nu te veel mensen tegelijk in. Probeer het opnieuw.',
    'This is not your current password.': 'Dit is niet je huidige wachtwoord.',
    'Invalid email or password.': 'E-mailadres of wachtwoord klopt niet.',
    'Please give a time zone such as Europe/Brussels': 'Kies een tijdzone, zoals Europe/Brussels',
    'This session does not exist.': 'Dit toestel is al uitgelogd.',
    'Your password was just changed on another device. Please sign in again.':
      'Je wachtwoord is net gewijzigd op een ander toestel. Log opnieuw in.',
    'Please sign in.': 'Log in.',
    'Please enter a name': 'Vul een naam in',
    'Please enter a name for your API key': 'Geef je API-sleutel een naam',
    'Please use at most {} characters': 'Gebruik hooguit {0} tekens',
    'The name contains line breaks or invisible characters. Please type it again':
      'Er staan regeleinden of onzichtbare tekens in de naam. Typ hem opnieuw',
    'The name cannot contain a link or an email address. Put a space after a dot':
      'In de naam mag geen link of e-mailadres staan. Zet een spatie na een punt',
    'This photo was hidden from guests by the operator of this site. Please write to support if you think that this is a mistake.':
      'Deze foto is door de beheerder van deze site verborgen voor gasten. Denk je dat dit een vergissing is? Neem dan contact op.',
    // Requests of guests.
    'Unable to load photo details. The photo may not exist or may be private.':
      'We kunnen de foto niet laden. Misschien bestaat hij niet meer of is hij privé.',
    'Too many requests from your network today. Please try again later.':
      'Er zijn vandaag te veel aanvragen vanaf je netwerk gedaan. Probeer het later opnieuw.',
    'Too many people are requesting photos right now. Please try again later.':
      'Er vragen nu te veel mensen een foto. Probeer het later opnieuw.',
    'The photos of this event are not open.': 'De foto’s van dit evenement zijn niet open.',
    'The photos are open already. Reload the page to see them.':
      'De foto’s zijn al open. Laad de pagina opnieuw om ze te zien.',
    'These photos cannot be downloaded together, or not any more.':
      'Deze foto’s kunnen niet of niet meer samen gedownload worden.',
    "Email isn't set up here. Please ask the person who took the photo.":
      'E-mail is hier niet ingesteld. Vraag de foto aan wie hem heeft gemaakt.',
    'Please enter your email address': 'Vul je e-mailadres in',
    'Enter a full address, such as name@example.com': 'Vul een volledig adres in, zoals naam@example.com',
    'The address is missing its ending, such as .com': 'Het einde van het adres ontbreekt, zoals .be of .com',
    'Please enter one address only': 'Vul maar één adres in',
    'The address contains a space': 'Er staat een spatie in het adres',
    "The address contains characters that aren't allowed": 'Er staan tekens in het adres die niet mogen',
    'The address is too long': 'Het adres is te lang',
    "This doesn't look like an email address": 'Dit lijkt geen e-mailadres te zijn',
    'Too many people are opening pages right now. Please try again in a moment.':
      'Er openen nu te veel mensen een pagina. Probeer het zo meteen opnieuw.',
    'Too many messages from your network today. Please try again tomorrow.':
      'Er zijn vandaag te veel berichten vanaf je netwerk gestuurd. Probeer het morgen opnieuw.',
    'Too many people are writing to us right now. Please try again later.':
      'Er schrijven ons nu te veel mensen. Probeer het later opnieuw.',
    'Too many withdrawals have come from your network today. Please write to {} instead: a withdrawal by email counts as well.':
      'Er zijn vandaag te veel herroepingen vanaf je netwerk gedaan. Schrijf in plaats daarvan naar {0}: een herroeping per e-mail telt ook.',
    'Too many withdrawals have been made with this address today. Please write to {} instead: a withdrawal by email counts as well.':
      'Er zijn vandaag te veel herroepingen met dit adres gedaan. Schrijf in plaats daarvan naar {0}: een herroeping per e-mail telt ook.',
    'Too many withdrawals are arriving right now. Please write to {} instead: a withdrawal by email counts as well.':
      'Er komen nu te veel herroepingen binnen. Schrijf in plaats daarvan naar {0}: een herroeping per e-mail telt ook.',
    // Plans and payments.
    'You already pay for a plan. Use POST /subscriptions/change to change to another one.':
      'Je betaalt al voor een abonnement. Wijzig het bij Instellingen.',
    'This plan cannot be bought right now. Please try again later.':
      'Dit abonnement kun je nu niet afsluiten. Probeer het later opnieuw.',
    'This plan cannot be bought right now': 'Dit abonnement kun je nu niet afsluiten',
    'No plan is sold at this price': 'Voor deze prijs wordt geen abonnement verkocht',
    'Another checkout was opened at the same time. Please try again.':
      'Er werd tegelijk een andere bestelling geopend. Probeer het opnieuw.',
    'This site does not sell plans.': 'Deze site verkoopt geen abonnementen.',
    'You have not paid anything that could be refunded.': 'Je hebt niets betaald dat terugbetaald kan worden.',
    'You have already had a refund. Each account can have one.':
      'Je hebt al een terugbetaling gekregen. Dat kan één keer.',
    'Your first payment was more than {} days ago. Cancel your subscription instead.':
      'Je eerste betaling is meer dan {0} dagen geleden. Je kunt je abonnement wel opzeggen.',
    'Your refund is not complete yet. It will be tried again; you need not do anything.':
      'Je terugbetaling is nog niet rond. We proberen het opnieuw; je hoeft niets te doen.',
    'Your plan is complimentary: nothing is charged, so there is nothing to cancel.':
      'Je krijgt je abonnement cadeau: je betaalt niets, dus er is niets om op te zeggen.',
    'Your plan is complimentary and cannot be changed here. To pay for another plan, choose it on the pricing page.':
      'Je krijgt je abonnement cadeau en kunt het hier niet wijzigen. Wil je voor een ander betalen, kies het dan op de prijzenpagina.',
    'Your plan is complimentary: there is no subscription to resume.':
      'Je krijgt je abonnement cadeau: er is geen abonnement om voort te zetten.',
    'You have no subscription to cancel.': 'Je hebt geen abonnement om op te zeggen.',
    'You have no subscription to change. Choose a plan on the pricing page.':
      'Je hebt geen abonnement om te wijzigen. Kies er een op de prijzenpagina.',
    'You have no subscription to resume. Choose a plan on the pricing page.':
      'Je hebt geen abonnement om voort te zetten. Kies er een op de prijzenpagina.',
    'Your subscription has ended already.': 'Je abonnement is al afgelopen.',
    'Your subscription has ended. Choose a plan on the pricing page.':
      'Je abonnement is afgelopen. Kies er een op de prijzenpagina.',
    'You already have {}. Resume it to keep it.': 'Je hebt {0} al. Zet het voort om het te houden.',
    'You already have {}.': 'Je hebt {0} al.',
    'Your last payment is missing. Update your card in Settings, then change the plan.':
      'Je laatste betaling ontbreekt. Werk je kaart bij in Instellingen en wijzig daarna je abonnement.',
    'This site cannot take payments at the moment. Please try again later.':
      'Deze site kan op dit moment geen betalingen aannemen. Probeer het later opnieuw.',
    'Your payment is on its way, which can take some days with this payment method. Your plan starts when it arrives; you need not pay again.':
      'Je betaling is onderweg; met deze betaalwijze kan dat enkele dagen duren. Je abonnement start zodra ze aankomt; je hoeft niet opnieuw te betalen.',
    'Your payment has failed and nothing was charged. Please choose a plan again.':
      'Je betaling is mislukt en er is niets afgeschreven. Kies opnieuw een abonnement.',
    'Your payment was disputed at the bank, so it cannot be refunded here.':
      'Je betaling is bij de bank betwist en kan hier dus niet terugbetaald worden.',
    'This checkout does not exist.': 'Deze bestelling bestaat niet.',
    'This checkout has not been paid. Finish the payment, or choose a plan again.':
      'Deze bestelling is niet betaald. Rond de betaling af, of kies opnieuw een abonnement.',
    'This checkout has expired and nothing was charged. Please choose a plan again.':
      'Deze bestelling is verlopen en er is niets afgeschreven. Kies opnieuw een abonnement.',
    'You already had a plan. Your second payment is being refunded.':
      'Je had al een abonnement. Wat je een tweede keer betaalde, krijg je terug.',
    'The subscription of this checkout has ended.': 'Het abonnement van deze bestelling is afgelopen.',
    'Your payment has arrived, but its plan is unknown here. Please contact the person who runs this site.':
      'Je betaling is aangekomen, maar het abonnement is hier onbekend. Neem contact op met wie deze site beheert.',
    'Your payment is still being processed. Your plan starts as soon as it has arrived.':
      'Je betaling wordt nog verwerkt. Je abonnement start zodra ze aankomt.',
    'You have not paid for a plan, so there are no invoices.':
      'Je hebt niet voor een abonnement betaald, dus er zijn geen facturen.',
    'These payments are a demonstration: there is no card to manage.':
      'Deze betalingen zijn een demonstratie: er is geen kaart om te beheren.',
    'Usage analytics come with the Pro plans. Upgrade to see scans and downloads.':
      'Statistieken horen bij de Pro-abonnementen. Upgrade om scans en downloads te zien.',
    // API keys and webhooks.
    'API access not available with your current subscription': 'Je huidige abonnement geeft geen toegang tot de API',
    'This API key does not exist.': 'Deze API-sleutel bestaat niet.',
    'You have {} API keys, the most there can be. Please delete one first.':
      'Je hebt {0} API-sleutels, het maximum. Verwijder er eerst een.',
    'This webhook does not exist.': 'Deze webhook bestaat niet.',
    'The event of this webhook was deleted. Bring it back, or choose another event.':
      'Het evenement van deze webhook is verwijderd. Breng het terug of kies een ander evenement.',
    'This webhook is switched off. Switch it on first.': 'Deze webhook staat uit. Zet hem eerst aan.',
    'Tests and replays are limited to {} a day. Please try again later.':
      'Je kunt per dag {0} tests en herhalingen sturen. Probeer het later opnieuw.',
    'This delivery does not exist any more.': 'Deze verzending bestaat niet meer.',
    'This was a test. Send a new one instead.': 'Dit was een test. Stuur een nieuwe.',
    'You have {} webhooks, the most there can be. Delete one first.':
      'Je hebt {0} webhooks, het maximum. Verwijder er eerst een.',
    'Too many deliveries of this webhook wait already. Please try again later.':
      'Er wachten al te veel verzendingen van deze webhook. Probeer het later opnieuw.',
    // Requests of an owner.
    'This request does not exist.': 'Deze aanvraag bestaat niet.',
    'Only failed emails can be resent.': 'Alleen mislukte e-mails kunnen opnieuw verstuurd worden.',
    'This link has expired or a newer export has replaced it. You can export your data again in Settings.':
      'Deze link is verlopen of er is een nieuwere export. Je kunt je gegevens opnieuw exporteren bij Instellingen.',
    // The program as a whole.
    'The service is busy right now. Please try again.': 'Het is nu erg druk. Probeer het opnieuw.',
    'Photos cannot be stored or read right now. Nothing is lost. Please try again shortly.':
      'Foto’s kunnen nu niet opgeslagen of gelezen worden. Er is niets verloren. Probeer het zo meteen opnieuw.',
    'The payment provider cannot be reached right now. Please try again in a minute; nothing is paid twice.':
      'De betaaldienst is nu niet bereikbaar. Probeer het over een minuut opnieuw; er wordt niets dubbel betaald.',
    'This file cannot be read right now. Please try again.':
      'Dit bestand kan nu niet gelezen worden. Probeer het opnieuw.',
    'This link has expired. Choose the photos in the gallery and download them again.':
      'Deze link is verlopen. Kies de foto’s in de galerij en download ze opnieuw.',
    '{} cannot be read. Please leave it out, or try again later.':
      '{0} kan niet gelezen worden. Laat deze foto weg of probeer het later opnieuw.',
    'One of these photos no longer exists. Please select them again.':
      'Een van deze foto’s bestaat niet meer. Selecteer ze opnieuw.',
    '{} of these photos no longer exist. Please select them again.':
      '{0} van deze foto’s bestaan niet meer. Selecteer ze opnieuw.',
    'This evening has more than 2,000 photos. Please select up to 2,000 of them.':
      'Deze avond heeft meer dan 2.000 foto’s. Selecteer er hooguit 2.000.',
    'There are no photos of this evening.': 'Er zijn geen foto’s van deze avond.',
    'None of these photos can be downloaded: they are not ready, have failed or are blocked.':
      'Geen van deze foto’s kan gedownload worden: ze zijn nog niet klaar, mislukt of geblokkeerd.',
    'Some of these photos have been deleted or replaced. Please download them again.':
      'Sommige van deze foto’s zijn verwijderd of vervangen. Download ze opnieuw.',
    'Several downloads are under way. Please wait until one has ended.':
      'Er lopen al verschillende downloads. Wacht tot er een klaar is.',
    'These photos are being prepared for the download. Please try again in a moment.':
      'Deze foto’s worden voorbereid voor de download. Probeer het zo meteen opnieuw.',
    'There are no photos to download yet.': 'Er zijn nog geen foto’s om te downloaden.',
    'This event has more than {} photos. Please select up to {} at a time in the gallery.':
      'Dit evenement heeft meer dan {0} foto’s. Selecteer er in de galerij hooguit {1} tegelijk.',
    'This address has a link already. You can send it again.':
      'Dit adres heeft al een link. Je kunt die opnieuw sturen.',
    '{} links to this event work, the most there can be. Please revoke one first.':
      'Er werken {0} links naar dit evenement, het maximum. Trek er eerst een in.',
    'This link does not exist or works no longer.': 'Deze link bestaat niet of werkt niet meer.',
    'You have sent many of these emails today. Please try again tomorrow.':
      'Je hebt vandaag veel van deze e-mails gestuurd. Probeer het morgen opnieuw.',
    'Email is not set up here, so no link can be sent.':
      'E-mail is hier niet ingesteld, dus er kan geen link gestuurd worden.',
    'This form was sent from another website. Please open the page here and send it again.':
      'Dit formulier werd vanaf een andere website verstuurd. Open de pagina hier en verstuur het opnieuw.',
    'Something went wrong on our side. Please try again; if the problem persists, quote this reference: {}':
      'Er ging bij ons iets mis. Probeer het opnieuw; blijft het probleem, vermeld dan deze code: {0}',
    // Why an email was not sent.
    'This person has opted out of photo emails.': 'Deze persoon wil geen e-mails met foto’s ontvangen.',
    'The photo was hidden from guests before this email was sent.':
      'De foto werd voor gasten verborgen voordat deze e-mail verstuurd was.',
    'The photo could not be processed and cannot be retried.':
      'De foto kon niet worden verwerkt, en opnieuw proberen kan niet.',
    'The photo could not be processed. This email is sent when you have retried the photo and it is ready.':
      'De foto kon niet worden verwerkt. Deze e-mail wordt verstuurd als je hem opnieuw hebt laten verwerken en hij klaar is.',
    'This email waits until you confirm your email address. You can resend the confirmation email in Settings.':
      'Deze e-mail wacht tot je je e-mailadres bevestigt. Je kunt de bevestigingsmail opnieuw sturen bij Instellingen.',
    'Your email address was not confirmed in time.': 'Je e-mailadres werd niet op tijd bevestigd.',
    'The content of this email no longer exists.': 'De inhoud van deze e-mail bestaat niet meer.',
    'Something went wrong on our side while preparing this email.':
      'Er ging bij ons iets mis bij het klaarmaken van deze e-mail.',
    'Nothing is sent to addresses that end in .example: they exist only in examples.':
      'Naar adressen die op .example eindigen, wordt niets gestuurd: die bestaan alleen in voorbeelden.',
    'The outbox folder is full. The email waits until there is room.':
      'De outbox-map is vol. De e-mail wacht tot er plaats is.',
    'The disk is nearly full. The email waits until there is room.':
      'De schijf is bijna vol. De e-mail wacht tot er plaats is.',
    'Saved to the outbox folder: no mail server is configured.':
      'Bewaard in de map met uitgaande e-mails: er is geen mailserver ingesteld.',
    'The outbox folder cannot be written.': 'In de outbox-map kan niet geschreven worden.',
    'The file was removed from the outbox folder after {} days, to make room.':
      'Het bestand is na {0} dagen uit de outbox-map verwijderd, om plaats te maken.',
    'This address does not exist.': 'Dit adres bestaat niet.',
    'This domain does not accept email.': 'Dit domein accepteert geen e-mail.',
    'The mailbox is full.': 'De mailbox is vol.',
    'The email is too large for this mailbox.': 'De e-mail is te groot voor deze mailbox.',
    'The receiving server rejected the message.': 'De ontvangende server weigerde de e-mail.',
    'The mail server asks to try again later.': 'De mailserver vraagt om het later opnieuw te proberen.',
    'This address has moved.': 'Dit adres is verhuisd.',
    'The mail server does not accept the sender.': 'De mailserver accepteert de afzender niet.',
    'The mailbox cannot be used.': 'De mailbox kan niet gebruikt worden.',
    'The mailbox is disabled.': 'De mailbox is uitgeschakeld.',
    'The mailbox is busy.': 'De mailbox is bezet.',
    'The receiving server does not answer.': 'De ontvangende server antwoordt niet.',
    'The receiving server did not answer in time.': 'De ontvangende server antwoordde niet op tijd.',
    'The receiving server is out of storage.': 'De ontvangende server heeft geen opslag meer.',
    'The receiving server does not accept email for this address.':
      'De ontvangende server accepteert geen e-mail voor dit adres.',
    'The receiving server does not support this kind of address.':
      'De ontvangende server ondersteunt dit soort adres niet.',
    'The mail server requires authentication.': 'De mailserver vraagt om in te loggen.',
    'The mail server rejected our login.': 'De mailserver weigerde onze login.',
    'Could not establish a secure connection to the mail server.':
      'Er kon geen beveiligde verbinding met de mailserver gemaakt worden.',
    'The mail server could not be found.': 'De mailserver is niet gevonden.',
    'The mail server did not answer in time.': 'De mailserver antwoordde niet op tijd.',
    'The receiving server asks to wait. The email is tried again.':
      'De ontvangende server vraagt om te wachten. De e-mail wordt opnieuw geprobeerd.',
    'The certificate of the mail server is not trusted.': 'Het certificaat van de mailserver wordt niet vertrouwd.',
    'The certificate of the mail server has expired.': 'Het certificaat van de mailserver is verlopen.',
    'The certificate of the mail server is not valid yet.': 'Het certificaat van de mailserver is nog niet geldig.',
    'The certificate of the mail server is for another host name.':
      'Het certificaat van de mailserver is voor een andere hostnaam.',
    'The mail server could not be reached.': 'De mailserver kon niet bereikt worden.',
    'The connection to the mail server was lost.': 'De verbinding met de mailserver werd verbroken.',
    'The mail server could not be reached for {} hours.': 'De mailserver kon {0} uur lang niet bereikt worden.',
    'The email could not be sent for {} hours. {}': 'De e-mail kon {0} uur lang niet verstuurd worden. {1}',
    'This helper does not exist or was removed.': 'Deze helper bestaat niet of is verwijderd.',
    'No other device asks to be used by this helper.': 'Er vraagt geen ander toestel toegang voor deze helper.',
    'Another device has asked since. Please ask your helper when, and allow it then.':
      'Intussen heeft een ander toestel toegang gevraagd. Vraag je helper wanneer dat was, en sta het dan toe.',
    'The link of this helper works no longer. Please add a new helper instead.':
      'De link van deze helper werkt niet meer. Voeg een nieuwe helper toe.',
    'This link is used on another device. Please ask the host to allow this one.':
      'Deze link wordt op een ander toestel gebruikt. Vraag de organisator om dit toestel toe te staan.',
    'The screens show another event now, so no photo can be held.':
      'De schermen tonen nu een ander evenement, dus er kan geen foto worden vastgehouden.',
    'Only a photo of the event that guests can see can be held.':
      'Alleen een foto van het evenement die gasten kunnen zien, kan worden vastgehouden.',
    'This event does not exist.': 'Dit evenement bestaat niet.',
    'This event is archived. Please take it out of the archive first.':
      'Dit evenement is gearchiveerd. Haal het eerst uit het archief.',
    'You have {} events, the most there can be. Please delete one first.':
      'Je hebt {0} evenementen, meer kan niet. Verwijder er eerst een.',
    'This event was deleted. Please bring it back first.': 'Dit evenement is verwijderd. Haal het eerst terug.',
  },
}
