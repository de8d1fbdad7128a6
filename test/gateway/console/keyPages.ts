import type { KeyRecord } from '../accountState.ts';
import { formatUsd } from '../chat/metering.ts';
import { faults } from '../faultTable.ts';
import { groups } from '../models/catalogue.ts';
import { type Html, html } from './html.ts';
import { dayText, table, timeText } from './page.ts';

/** All keys, and the form for a new one. */
export function keysPage(keys: readonly KeyRecord[], now: number): Html {
  const rows = keys.map((key) => [
    html`<a href="/keys/${key.id}">${key.name}</a>`,
    html`<code>sk-…${key.lastFour}</code>`,
    key.groups.join(', ') || 'none',
    key.expiresAt === null ? 'for ever' : timeText(key.expiresAt),
    key.quotaMicroUsd === null ? 'no limit' : formatUsd(key.quotaMicroUsd),
    formatUsd(key.usedMicroUsd),
    condition(key, now),
  ]);
  const headings = ['Name', 'Key', 'Groups', 'Valid until (UTC)', '#Quota', '#Used', 'Condition'];
  return html`${table(headings, rows, 'No keys yet.')}
<h2>New key</h2>
<form class="panel" method="post" action="/keys">
<label>Name <input name="name" maxlength="80" required autocomplete="off"></label>
${choices(undefined)}
<button class="main">Create key</button>
</form>`;
}

/** The page after creation: the only one that shows the value, and only once. */
export function createdKeyPage(key: KeyRecord, value: string | undefined, baseUrl: string): Html {
  if (value === undefined) {
    return html`<p>The value of <b>${key.name}</b> was shown once and is kept nowhere. Lost it? Delete the key and create another.</p>
<p><a href="/keys">All keys</a></p>`;
  }
  return html`<p>This is the value of <b>${key.name}</b>. Copy it now: it is not shown again.</p>
<p class="value">${value}</p>
<p>Base URL: <code>${baseUrl}</code></p>
<p><a href="/keys">All keys</a></p>`;
}

/** One key: change it, disable it, delete it. */
export function keyPage(key: KeyRecord, now: number): Html {
  const path = `/keys/${key.id}`;
  return html`<p><code>sk-…${key.lastFour}</code> · ${condition(key, now)} · used ${formatUsd(key.usedMicroUsd)} · created ${timeText(key.createdAt)}</p>
<form class="panel" method="post" action="${path}">
${choices(key)}
<button class="main">Save</button>
</form>
<h2>Disable or delete</h2>
<form class="inline" method="post" action="${path}/${key.isDisabled ? 'enable' : 'disable'}"><button>${key.isDisabled ? 'Enable' : 'Disable'}</button></form>
<details><summary>Delete…</summary>
<form method="post" action="${path}/delete"><p>Clients that use this key stop working. Its lines stay in the usage log.</p><button class="warn">Delete this key</button></form>
</details>`;
}

function choices(key: KeyRecord | undefined): Html {
  const chosen = key?.groups ?? groups;
  const boxes = groups.map(
    (group) =>
      html`<label><input type="checkbox" name="groups" value="${group}"${chosen.includes(group) && html` checked`}> ${group}</label>`,
  );
  const expiresOn = dayText(key?.expiresAt ?? null);
  const quotaUsd = key === undefined || key.quotaMicroUsd === null ? '' : String(key.quotaMicroUsd / 1e6);
  return html`<fieldset><legend>Groups</legend>${boxes}</fieldset>
<label>Valid until the end of (UTC; empty: for ever) <input name="expiresOn" type="date" value="${expiresOn}"></label>
<label>Quota in USD (empty: no limit) <input name="quotaUsd" type="number" min="0" step="0.000001" value="${quotaUsd}"></label>
<label>Fault of every call (empty: none) <input name="fault" value="${key?.fault ?? ''}" list="faults" autocomplete="off" spellcheck="false"></label>
<datalist id="faults">${faults.map(({ name, about }) => html`<option value="${name}">${about}</option>`)}</datalist>
<label class="check"><input type="checkbox" name="errorsAs200"${key?.errorsAs200 === true && html` checked`}> Errors come under status 200</label>`;
}

function condition(key: KeyRecord, now: number): Html {
  const text = key.isDisabled
    ? 'disabled'
    : key.expiresAt !== null && key.expiresAt <= now
      ? 'expired'
      : key.quotaMicroUsd !== null && key.usedMicroUsd >= key.quotaMicroUsd
        ? 'quota used up'
        : 'good';
  return html`<span class="${text === 'good' ? 'good' : 'warn'}">${text}</span>`;
}
