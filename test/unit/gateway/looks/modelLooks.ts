import assert from 'node:assert/strict';
import { all, answers, type Check, holds } from './checks.ts';

/** What each fault must look like, of the model list. */
export const modelLooks: Readonly<Record<string, Check>> = {
  'models-null': holds(/"data":null/),
  'models-empty': holds(/"data":\[\]/),
  'models-bare-array': holds(/^\[\{"id"/),
  'models-object-map': holds(/"data":\{"gpt-5\.1":\{/),
  'models-under-models': holds(/^\{"models":\[/),
  'models-nested': holds(/"data":\{"object":"list","data":\[/),
  'models-strings': holds(/"data":\["gpt-5\.1",/),
  'models-duplicates': ({ text }) => assert.equal(text.split('"id":"gpt-5.1"').length, 3),
  'models-odd-items': holds(/\[null,7,\{\},\{"id":""\},\{"id":42/),
  'models-hostile-names': holds(/"__proto__"/),
  'models-reversed': holds(/"data":\[\{"id":"BAAI/),
  'models-with-success': holds(/^\{"success":true,"data":\[/),
  'models-refused-200': answers(200, /"success":false/),
  'models-priced': holds(/"pricing":\{"prompt":"0\.00000125"/),
  'models-many': ({ text }) => assert.equal((JSON.parse(text) as { data: unknown[] }).data.length, 5000),
  'models-metadata': holds(/"permission":\[\{"id":"modelperm-x"/),
  'models-ids-only': holds(/^\{"data":\[\{"id":"gpt-5\.1"\},/),
  'models-paged': holds(/"has_more":true/),
  'models-twin': holds(/^\{"models":\[\{"name":"gpt-5\.1".*"data":\[\{"id"/),
  'models-gemini': holds(/^\{"models":\[\{"name":"models\/gpt-5\.1"/),
  'models-data-models': holds(/"data":\{"models":\[/),
  'models-no-list': answers(200, /"hello":"world"/),
  'models-near-duplicates': all(holds(/"id":"GPT-5\.1"/), holds(/"id":"gpt-5\.1 "/)),
  'models-path-ids': holds(/"id":"a#b"/),
  'models-known-ids': holds(/"id":"auto"/),
  'models-large': ({ bytes }) => assert.ok(bytes.length > 10 * 1024 * 1024),
  'models-any-key': answers(200, /"data":\[/),
  'models-405': answers(405, /Method Not Allowed/),
};
