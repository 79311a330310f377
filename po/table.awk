# Makes the table of words/translations.cpp of ja.po: {"context\004English", "Japanese"} for each entry. What is escaped
# in the one is escaped so in the other.
function flush() {
  if (id != "\"\"" && id != "") {
    print "{" (context == "" ? "" : context " \"\\004\" ") id ", " text "},"
  }
  context = id = text = ""
}
/^#/ { next }
/^$/ { flush(); at = ""; next }
/^msgctxt / { at = "context"; sub(/^msgctxt /, "") }
/^msgid / { at = "id"; sub(/^msgid /, "") }
/^msgstr / { at = "text"; sub(/^msgstr /, "") }
at == "context" { context = context $0 }
at == "id" { id = id $0 }
at == "text" { text = text $0 }
END { flush() }
