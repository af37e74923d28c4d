"""The functions of the travel booking: reads the input of a call, prints its result."""
import json
import sys

arguments = json.load(sys.stdin)
if sys.argv[1] == "cancel":
    print("null")
else:
    print(json.dumps({"number": sys.argv[1][0].upper() + "-1", "for": arguments}))
