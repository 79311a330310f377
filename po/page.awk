# Makes an object of JavaScript of what the live page says, of ja.po: {"context\u0004English": "Japanese"}. The files that
# stand before ja.po say which entries those are.
function flush() {
  is_said = context == "" ? index(sources, "say(\"" id "\"") || index(sources, "data-say=\"" id "\"") \
    : index(sources, "sayAs(\"" context "\", \"" id "\"") || index(sources, "data-context=\"" context "\" data-say=\"" id "\"")
  if (id != "" && is_said) {
    entries = entries "\n  \"" (context == "" ? "" : context "\\u0004") id "\": \"" text "\","
  }
  context = id = text = ""
}
FILENAME !~ /\.po$/ { sources = sources $0 "\n"; next }
/^#/ { next }
/^$/ { flush(); at = ""; next }
/^msgctxt / { at = "context"; sub(/^msgctxt /, "") }
/^msgid / { at = "id"; sub(/^msgid /, "") }
/^msgstr / { at = "text"; sub(/^msgstr /, "") }
{ piece = substr($0, 2, length($0) - 2) }
at == "context" { context = context piece }
at == "id" { id = id piece }
at == "text" { text = text piece }
END { flush(); print "{" entries "\n}" }
